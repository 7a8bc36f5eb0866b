import { createMetrics, type Metrics } from '../base/metrics.js';
import { InformerFactory } from '../cache/informer-factory.js';
import type { Informer } from '../cache/informer.js';
import { Latch } from '../cache/latch.js';
import { WatchAudit } from '../cache/watch-audit.js';
import type { ResourceModel } from '../resource/model.js';
import { aborted } from './aborted.js';
import { missedEventMetrics } from './operator-metrics.js';
import { ControllerGroup } from './controller-group.js';
import { createServers } from './create-servers.js';
import { customMetrics } from './custom-metrics.js';
import { HealthChecks } from './health-checks.js';
import { reportInformerErrors } from './informer-diagnosis.js';
import { Leadership } from './leadership.js';
import { reportMissingPermissions } from './missing-permissions.js';
import type { RunOptions } from './run-options.js';
import { StartHooks } from './start-hooks.js';
import { settledWithin } from './settled-within.js';

/** The longest time that the start waits for checks that are not required. */
const PREFLIGHT_MS = 500;

const WATCH_AUDIT_INTERVAL_MS = 1_800_000;

/**
 * Runs a manager: starts its parts in order, and stops them in reverse. Resolves after an orderly stop.
 *
 * @throws LeaseLostError when another process may lead now.
 */
export async function runManager(
  models: readonly ResourceModel[],
  options: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const { client, clock, logger, namespaces = [], strict, metricsBindAddress = '0' } = options;
  // The metrics library costs memory and time, so it is loaded only if metrics are served.
  const metrics = options.metrics ?? (metricsBindAddress === '0' ? undefined : await createMetrics());
  const informers = options.informers ?? new InformerFactory(client, { clock, logger, namespaces, freeze: strict });
  const reconciled = models.filter(({ isReconciled }) => isReconciled);
  const names = reconciled.map((model) => model.controller.name);
  const leadership = new Leadership(options, names, metrics);
  const controllers = new ControllerGroup(reconciled, options, { informers, fence: leadership.fence, metrics });
  const prepared = new Latch();
  const checks = new HealthChecks(clock, logger);
  const servers = createServers(models, options, {
    metrics,
    checks,
    informers,
    sourceRoutes: controllers.sourceRoutes,
    synced: controllers.informers,
    prepared: (ended) => prepared.wait(ended),
    signal,
  });
  const audits = new AbortController();
  const shared = { client, log: logger, metrics: customMetrics(metrics), checks };
  const startHooks = new StartHooks(models, shared, options.provided);
  try {
    for (const server of servers) await server.start();
    for (const informer of controllers.informers) reportInformerErrors(informer, models, logger);
    await preflight(models, options, signal);
    await startHooks.run(signal);
    prepared.open();
    informers.start();
    auditWatches(controllers.informers, options, metrics, audits.signal);
    if (reconciled.length === 0) await aborted(signal);
    else if (await leadership.acquire(signal)) await lead(leadership, controllers, options, signal);
  } finally {
    leadership.close('the manager has stopped');
    audits.abort();
    await informers.stop();
    await startHooks.dispose();
    await leadership.release();
    await Promise.all(servers.map((server) => server.close()));
  }
}

function auditWatches(
  informers: readonly Informer[],
  { client, clock, logger, watchAuditIntervalMs = WATCH_AUDIT_INTERVAL_MS }: RunOptions,
  metrics: Metrics | undefined,
  signal: AbortSignal,
): void {
  if (watchAuditIntervalMs === 0) return;
  const onMissed = metrics ? missedEventMetrics(metrics, informers) : () => undefined;
  const audit = new WatchAudit({ client, clock, logger, intervalMs: watchAuditIntervalMs, onMissed });
  for (const informer of new Set(informers)) void audit.run(informer, signal);
}

/** Logs missing permissions with their decorators before a watch that needs them fails. */
async function preflight(models: readonly ResourceModel[], options: RunOptions, signal: AbortSignal): Promise<void> {
  const { preflight: isWanted = true, client, clock, logger, namespaces = [] } = options;
  if (!isWanted || signal.aborted) return;
  await settledWithin(clock, PREFLIGHT_MS, reportMissingPermissions(models, { client, logger, namespaces, signal }));
}

/** Runs the controllers while this process leads; the lease is held until running reconciles have ended. */
async function lead(
  leadership: Leadership,
  controllers: ControllerGroup,
  { logger }: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const leading = leadership.hold(ended.signal);
  const stopped = controllers.start(signal).then(() => aborted(signal));
  try {
    await Promise.race([leading, stopped]);
  } catch (error) {
    if (!signal.aborted) {
      const reason = error as Error;
      leadership.close(reason.message);
      logger.error(reason.message);
      await controllers.abandon(reason);
      throw error;
    }
  }
  await controllers.shutDown(leading);
  ended.abort(new Error('the manager has stopped'));
  await leading;
}
