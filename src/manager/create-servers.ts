import { OperatorError } from '../base/operator-error.js';
import { resourceName } from '../api/kinds/kind-ref.js';
import type { Metrics } from '../base/metrics.js';
import type { InformerFactory } from '../cache/informer-factory.js';
import type { Informer } from '../cache/informer.js';
import type { ResourceModel } from '../resource/model.js';
import { kindConversionOf, type Versions } from '../resource/conversion/kind-conversion-of.js';
import { DebugServer } from './debug/debug-server.js';
import type { Inspected } from './debug/debug-state.js';
import type { HealthChecks } from './health/health-checks.js';
import { HealthServer } from './health/health-server.js';
import type { ManagerServer } from './manager-server.js';
import { MetricsServer } from './metrics/metrics-server.js';
import type { RunOptions } from './run-options.js';
import { probes, type WatchedClusters } from './health/probes.js';
import { SourceServer, type SourceRoute } from './sources/source-server.js';
import { CachedReader } from './webhooks/cached-reader.js';
import { WebhookEndpoint } from './webhooks/webhook-endpoint.js';

/** The parts of a run that its servers use. */
interface ServerParts {
  readonly metrics: Metrics | undefined;
  readonly informers: InformerFactory;
  readonly checks: HealthChecks;
  readonly sourceRoutes: readonly SourceRoute[];
  readonly inspected: Inspected;
  /** The caches that the operator waits for. */
  readonly synced: () => readonly Informer[];
  /** Other clusters with watches, by name; the operator does not wait for them. */
  readonly watched: WatchedClusters;
  /** Resolves when the start-up hooks have run. */
  readonly prepared: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * The servers of a manager, in the order in which they start.
 *
 * @throws OperatorError when two of them have the same address.
 */
export function createServers(
  models: readonly ResourceModel[],
  options: RunOptions,
  parts: ServerParts,
): ManagerServer[] {
  const { healthProbeBindAddress = '0', metricsBindAddress = '0', logger } = options;
  if (healthProbeBindAddress === metricsBindAddress && !/^0$|:0$/.test(metricsBindAddress)) {
    throw new OperatorError(`metrics and health probes cannot both be served at ${metricsBindAddress}`, {
      code: 'E_BIND_ADDRESS',
      hint: 'choose another address for one of them',
    });
  }
  const webhooks = webhookEndpoint(models, options, parts);
  const health = new HealthServer(
    healthProbeBindAddress,
    probes(parts.synced, webhooks, parts.watched),
    logger,
    parts.checks,
  );
  const metricsServer = parts.metrics && new MetricsServer(parts.metrics, options);
  const sources = parts.sourceRoutes.length > 0 ? new SourceServer(parts.sourceRoutes, options) : undefined;
  const debug = new DebugServer(parts.inspected, options);
  return [health, metricsServer, webhooks, sources, debug].filter((server) => server !== undefined);
}

/** The conversions of the kinds, each once. */
function conversionsOf(models: readonly ResourceModel[]): Versions[] {
  const all = models.flatMap(({ target }) => kindConversionOf(target) ?? []);
  return [...new Map(all.map((versions) => [resourceName(versions.conversion.kind), versions])).values()];
}

function webhookEndpoint(
  models: readonly ResourceModel[],
  options: RunOptions,
  { metrics, informers, prepared, signal }: ServerParts,
): WebhookEndpoint | undefined {
  const reviewed = models.filter((model) => model.webhooks.length > 0);
  const conversions = conversionsOf(models);
  // Without webhooks of its own, a process still removes those that an earlier one left.
  const isNeeded = reviewed.length > 0 || conversions.length > 0 || options.webhooks?.register !== undefined;
  if (!isNeeded) return undefined;
  if (options.webhooks) {
    const reader = new CachedReader(
      models.filter(({ isReconciled, controller }) => isReconciled && !controller.clusters),
      informers,
      options.client,
    );
    return new WebhookEndpoint(reviewed, conversions, options, { metrics, reader, prepared, signal });
  }
  const hint =
    'run-operator --webhook-authority <operator> or --webhook-cert-dir <folder>, or new Manager({ client, webhooks: { … } })';
  if (reviewed.length > 0) {
    const names = reviewed.map(({ className }) => className).join(', ');
    options.logger.warn(`@Mutate and @Validate methods of ${names} are not called: webhooks are not served`, { hint });
  }
  if (conversions.length > 0) {
    const names = conversions.map(({ conversion }) => conversion.kind.kind).join(', ');
    options.logger.warn(`Objects of ${names} are not converted: webhooks are not served`, { hint });
  }
  return undefined;
}
