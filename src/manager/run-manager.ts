import type { Metrics } from '../base/metrics.js';
import { InformerFactory } from '../cache/informer-factory.js';
import { Latch } from '../cache/latch.js';
import type { ObjectGate } from '../controller/sources/object-gate.js';
import type { ResourceModel } from '../resource/model.js';
import { aborted } from './aborted.js';
import { allCacheUsages } from './informers/cache-usage.js';
import { ControllerGroup } from './controller-group.js';
import { createServers } from './create-servers.js';
import { customMetrics } from './metrics/custom-metrics.js';
import { Fleet } from './fleet/fleet.js';
import type { FleetParts } from './fleet/fleet-cluster.js';
import { GroupMetrics } from './metrics/group-metrics.js';
import { exportMetrics, metricsOf } from './metrics/open-telemetry-metrics.js';
import { HealthChecks } from './health/health-checks.js';
import { InformerSupervision } from './informers/informer-supervision.js';
import { Leadership } from './election/leadership.js';
import { closeServers } from './manager-server.js';
import { assertSelection, NamespaceSelection, selectsNamespaces } from './namespace-selection.js';
import { reportMissingPermissions } from './missing-permissions.js';
import type { RunOptions } from './run-options.js';
import { RunningClasses } from './running-classes.js';
import { joinShardWork } from './sharding/shard-work.js';
import { Sharding } from './sharding/sharding.js';
import { StartHooks } from './start-hooks.js';
import { settledWithin } from './settled-within.js';
import { createTracing } from './tracing/create-tracing.js';
import { WebhookEndpoint } from './webhooks/webhook-endpoint.js';

/** The longest time that the start waits for checks that are not required. */
const PREFLIGHT_MS = 500;

/**
 * Runs a manager: starts its parts in order, and stops them in reverse. Resolves after an orderly stop. From the call of
 * `onPrepared` on, classes are added and removed with its argument; `models` must contain the present ones.
 *
 * @throws LeaseLostError when another process may lead now.
 */
export async function runManager(
  models: readonly ResourceModel[],
  given: RunOptions,
  signal: AbortSignal,
  onPrepared: (classes: RunningClasses) => void,
): Promise<void> {
  const options: RunOptions = { ...given, ...(await createTracing(given, given.logger)) };
  const { client, clock, logger, namespaces = [], strict } = options;
  const metrics = await metricsOf(options);
  const endExport = await exportMetrics(metrics, options);
  assertSelection(options, models.some(isRemote));
  const scope = { namespaces, selectsNamespaces: selectsNamespaces(options) };
  const informers = options.informers ?? new InformerFactory(client, { clock, logger, ...scope, freeze: strict });
  const reconciled = models.filter(({ isReconciled }) => isReconciled);
  const leadership = createPermission(options, reconciled, metrics);
  const { fence, gate } = leadership;
  const shared = {
    options,
    fence,
    gate,
    informers,
    metrics: metrics && new GroupMetrics(metrics),
    signal,
  };
  const { controllers, fleet, supervision } = createControllers(models, shared);
  const prepared = new Latch();
  const lost = new AbortController();
  const checks = new HealthChecks(clock, logger);
  const inspected = {
    controllers: () => controllers.controllers,
    allInformers: () => controllers.allInformers,
    others: fleet.watched,
  };
  const servers = createServers(models, options, {
    metrics,
    checks,
    informers,
    sourceRoutes: controllers.sourceRoutes,
    inspected,
    synced: () => controllers.waitingInformers,
    watched: fleet.watched,
    prepared: (ended) => prepared.wait(ended),
    signal: AbortSignal.any([signal, lost.signal]),
  });
  options.onInspectable?.({
    ...inspected,
    isLeading: () => leadership.isLeading,
    shards: () => leadership.gate?.state,
    webhooks: () => servers.find((server) => server instanceof WebhookEndpoint)?.state,
  });
  const started = {
    client: client.guarded(leadership.lossFence),
    log: logger,
    metrics: customMetrics(metrics),
    checks,
  };
  const startHooks = new StartHooks(models, started, options.provided, options);
  const isLeading = reconciled.length > 0;
  const replaceWebhooks = (previous: ResourceModel, next: ResourceModel): void => {
    for (const server of servers) server.replace?.(previous, next);
  };
  const parts = { controllers, fleet, supervision, startHooks, replaceWebhooks };
  const classes = new RunningClasses({ ...parts, isLeading, options, signal });
  controllers.onWatchesChanged = () => {
    classes.supervise();
  };
  onPrepared(classes);
  const renew = (): void => {
    controllers.renewNamespaces();
    classes.supervise();
  };
  const selection = scope.selectsNamespaces ? new NamespaceSelection(options, { informers, renew, logger }) : undefined;
  try {
    for (const server of servers) await server.start();
    classes.supervise();
    await preflight(models, options, signal);
    await startHooks.run(signal);
    prepared.open();
    informers.start();
    await selection?.synced(signal);
    fleet.open();
    void reportCaches({ controllers, fleet }, options, signal);
    if (!isLeading) await aborted(signal);
    else if (await leadership.acquire(signal, () => controllers.synced(signal)))
      await lead(leadership, { controllers, fleet }, options, signal).catch((error: unknown) => {
        lost.abort(error);
        throw error;
      });
  } finally {
    leadership.close('the manager has stopped');
    classes.close();
    await leadership.release();
    // Until they are drained, webhooks read from the caches and use what the start-up hooks have provided.
    await closeServers(servers, options);
    await Promise.all([informers.stop(), fleet.close()]);
    await startHooks.dispose();
    await endExport();
  }
}

async function reportCaches(
  { controllers, fleet }: { readonly controllers: ControllerGroup; readonly fleet: Fleet },
  { onCachesSynced, logger }: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  if (!onCachesSynced) return;
  // The caches of a class that is removed before do not sync.
  await controllers.synced(signal);
  if (signal.aborted) return;
  try {
    onCachesSynced(() => allCacheUsages(controllers.controllers, fleet.watched));
  } catch (error) {
    logger.error('onCachesSynced failed', { err: error });
  }
}

/** Logs missing permissions with their decorators before a watch that needs them fails. */
async function preflight(models: readonly ResourceModel[], options: RunOptions, signal: AbortSignal): Promise<void> {
  const { preflight: isWanted = true, client, clock, logger, namespaces = [] } = options;
  // The rights of an operator that selects its namespaces may be in these only.
  if (!isWanted || signal.aborted || selectsNamespaces(options)) return;
  await settledWithin(clock, PREFLIGHT_MS, reportMissingPermissions(models, { client, logger, namespaces, signal }));
}

function createPermission(
  options: RunOptions,
  models: readonly ResourceModel[],
  metrics: Metrics | undefined,
): Leadership | Sharding {
  if (options.sharding !== undefined && options.sharding !== false) return new Sharding(options, models, metrics);
  const names = models.map((model) => model.controller.name);
  return new Leadership(options, names, metrics);
}

/** Runs the controllers while this process leads; the lease is held until running reconciles have ended. */
async function lead(
  leadership: Leadership | Sharding,
  { controllers, fleet }: { readonly controllers: ControllerGroup; readonly fleet: Fleet },
  { logger }: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const leading = leadership.hold(ended.signal, joinShardWork(controllers, fleet));
  fleet.start(signal);
  const stopped = controllers.start(signal).then(() => aborted(signal));
  try {
    await Promise.race([leading, stopped]);
  } catch (error) {
    if (!signal.aborted) {
      const reason = error as Error;
      leadership.close(reason.message);
      logger.error(reason.message);
      await Promise.all([controllers.abandon(reason), fleet.abandon(reason)]);
      throw error;
    }
  }
  if (leadership instanceof Sharding) leadership.drain();
  await Promise.all([controllers.shutDown(leading), fleet.shutDown(leading)]);
  ended.abort(new Error('the manager has stopped'));
  await leading;
}

/** The controllers of the operator's own cluster with the supervision of their caches, and those of others. */
function createControllers(
  models: readonly ResourceModel[],
  shared: FleetParts & {
    readonly gate: ObjectGate | undefined;
    readonly informers: InformerFactory;
  },
) {
  const reconciled = models.filter(({ isReconciled }) => isReconciled);
  const local = reconciled.filter((model) => !isRemote(model));
  const controllers = new ControllerGroup(local, shared.options, shared);
  const fleet = new Fleet(shared);
  for (const model of reconciled.filter(isRemote)) fleet.add(model);
  const supervision = new InformerSupervision(models, shared.options, shared.metrics);
  return { controllers, fleet, supervision };
}

/** Returns true for a class with `clusters`. */
function isRemote({ controller: { clusters } }: ResourceModel): boolean {
  return clusters !== undefined;
}
