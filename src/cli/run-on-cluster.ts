import { flushCompileCache } from 'node:module';
import { describeCauses } from '../api/reconcile/describe-causes.js';
import { joinObservers } from '../api/reconcile/join-observers.js';
import type { KindRef } from '../api/kinds/kind-ref.js';
import { splitKey } from '../api/objects/object-key.js';
import type { ReconcileObserver } from '../api/reconcile/reconcile-observer.js';
import type { Cancel } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { LogThreshold } from '../base/log-threshold.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import type { Client } from '../client/client.js';
import type { ClusterConfig } from '../client/cluster-config.js';
import type { Console } from '../console/console.js';
import type { CacheUsage } from '../manager/informers/cache-usage.js';
import { unknownControllers, type ControllerOverrides } from '../manager/controller-overrides.js';
import { installModels } from '../manager/install/install-models.js';
import type { ManagerOptions, WebhookServing } from '../manager/manager-options.js';
import { Manager } from '../manager/manager.js';
import { metricsOf } from '../manager/metrics/open-telemetry-metrics.js';
import { featureGatesOf } from '../manifests/feature-gates-of.js';
import { isFeatureEnabled } from '../resource/feature-gates.js';
import { isRun } from '../resource/is-run.js';
import type { ResourceModel } from '../resource/model.js';
import { watchEventLoop } from './blocked-loop/watch-event-loop.js';
import { cacheReport } from './cache-report.js';
import { managerFlags } from './commands/operator-flags.js';
import { deleteObjects } from './delete-objects.js';
import { limitNewSpace } from './limit-new-space.js';
import type { LoadedResource } from './load-resources.js';
import { type OperatorClients, operatorClients } from './operator-clients.js';
import { printLine } from './print-line.js';
import type { RunOperatorOptions, SettingsReport } from './run-operator-options.js';
import { showConsole } from './show-console.js';

/** The operators to run, and the parts of kinds that are cached for them. */
export interface LoadedOperators {
  readonly resources: readonly LoadedResource[];
  readonly caches: readonly KindRef[];
}

/** Delay until the compiled code of a start is cached; caching it earlier would slow down the start. */
const SETTLED_MS = 5000;

/** A blocked process is reported after the time in which another replica takes over its lease, and ends after this many. */
const BLOCKED_LEASES = 4;

export type ServingOptions = RunOperatorOptions & {
  /** The level of the log. */
  readonly logThreshold: LogThreshold;
  /** Called with `--embedded` when the API server calls the webhooks, and without webhooks when the operators start. */
  readonly onServing?: ((console: OpenedConsole | undefined) => void) | undefined;
  /** Shows what the operators do. */
  readonly openConsole?: OpenConsole | undefined;
  readonly onManager?: (starting: StartingManager) => void;
};

/** The reason of a stop after which the operators run again in this process. */
export class StartAgain extends Error {}

/** The members of a console that a run uses. */
export type OpenedConsole = Pick<
  Console,
  'managerOptions' | 'clientMetrics' | 'url' | 'writeRedirect' | 'start' | 'close'
>;

/** Opens the console for the operators, without serving it. */
export type OpenConsole<C extends OpenedConsole = OpenedConsole> = (
  models: readonly ResourceModel[],
  logger: Logger,
) => Promise<C>;

/** A manager that is about to run. */
export interface StartingManager {
  readonly manager: Manager;
  /** For requests of the command itself. */
  readonly client: Client;
  readonly logger: Logger;
}

/**
 * Runs operators on a cluster until a signal asks to stop.
 *
 * @throws the reason why they cannot run
 */
export async function runOnCluster(
  operators: LoadedOperators,
  config: ClusterConfig,
  options: ServingOptions,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const models = operators.resources.map(({ model }) => model);
  logFeatureGates(models, log);
  const console = await options.openConsole?.(models, log);
  const recorded = console?.managerOptions;
  const { logger } = recorded ?? { logger: log };
  const metrics = await metricsOf(options);
  const clock = new SystemClock();
  const { recordRbac } = options;
  const clients = operatorClients(config, { logger, clock, metrics, recordRbac, observer: console?.clientMetrics });
  const cancel = clock.schedule(SETTLED_MS, flushCompileCache);
  const unwatched = watchBlocking(options, logger);
  const stopLimiting = limitNewSpace();
  const forget = logStop(signal, logger);
  try {
    if (!(await prepare(clients.own, models, options, { logger, clock, signal }))) return;
    const webhooks = webhookServing(options, clients.own, console);
    const manager = createManager(operators, options, clients, { ...recorded, logger, metrics, webhooks });
    await startConsole(console, clients.own, options, logger);
    options.onManager?.({ manager, client: clients.own, logger });
    await manager.run(signal);
  } catch (error) {
    if (error !== signal.reason) throw error;
  } finally {
    forget();
    cancel();
    unwatched();
    stopLimiting();
    await console?.close();
    clients.close();
  }
}

/** Installs the definitions if wanted, or deletes objects; returns false if nothing is to run then. */
async function prepare(
  client: Client,
  models: readonly ResourceModel[],
  { deleteObjects: isDeleting = false, install = false, namespace: namespaces }: ServingOptions,
  use: { readonly logger: Logger; readonly clock: SystemClock; readonly signal: AbortSignal },
): Promise<boolean> {
  if (isDeleting) await deleteObjects(client, models, { namespaces, ...use });
  else if (install) await installModels(client, models, use);
  return !isDeleting;
}

/** Logs which features are enabled, if the classes have feature gates. */
function logFeatureGates(models: readonly ResourceModel[], logger: Logger): void {
  const gates = featureGatesOf(models);
  if (gates.length === 0) return;
  const states = gates.map((gate) => [gate.name, isFeatureEnabled(gate)] as const);
  logger.info('Feature gates', Object.fromEntries(states));
}

/** Logs that the operators stop. Returns a function that ends the waiting for it. */
function logStop(signal: AbortSignal, logger: Logger): () => void {
  const onStop = (): void => {
    if (!(signal.reason instanceof StartAgain)) logger.info('Stopping; a second signal ends the process immediately');
  };
  signal.addEventListener('abort', onStop, { once: true });
  return () => {
    signal.removeEventListener('abort', onStop);
  };
}

type Observers = Pick<ManagerOptions, 'metrics' | 'observer' | 'onInspectable' | 'webhooks'> & {
  readonly logger: Logger;
};

function createManager(
  { resources, caches }: LoadedOperators,
  options: ServingOptions,
  { client, onOwnAccess: onAccess }: OperatorClients,
  observers: Observers,
): Manager {
  const { logger } = observers;
  const { logThreshold } = options;
  const observer = joinObservers(triggerLog(logger, logThreshold), observers.observer);
  const parts = { onAccess, observer, client, caches, logThreshold };
  const manager = new Manager({ ...managerOptions(options), ...observers, ...parts });
  for (const { model, sourceFile } of resources) {
    if (isRun(model)) manager.add(model);
    else logger.info(`${model.className} in ${sourceFile} has no reconcile method and is not run`);
  }
  return manager;
}

async function startConsole(
  console: OpenedConsole | undefined,
  client: Client,
  options: ServingOptions,
  logger: Logger,
): Promise<void> {
  if (!console) return;
  await console.start(client);
  if (options.embedded !== true) showConsole(console, options, logger);
}

/** Starts to watch the event loop soon. Returns a function that ends it. */
function watchBlocking(options: RunOperatorOptions, logger: Logger): Cancel {
  const isProduction = process.env['NODE_ENV'] === 'production';
  const byDefault = isProduction ? 0 : BLOCKED_LEASES * options.leaderElectLeaseDuration;
  const { eventLoopTimeout: endMs = byDefault } = options;
  if (endMs === 0) return () => undefined;
  let end: Cancel | undefined;
  const start = setImmediate(() => {
    end = watchEventLoop({ logger, warnMs: endMs / BLOCKED_LEASES, endMs });
  });
  return () => {
    clearImmediate(start);
    end?.();
  };
}

/**
 * @throws OperatorError for options of a controller that does not run, unless a class can add others. Then the manager
 * logs a warning.
 */
export function assertControllers(overrides: ControllerOverrides, models: readonly ResourceModel[]): void {
  const [unknown] = unknownControllers(overrides, models);
  const canAdd = models.some(({ injections }) => injections.some(({ token }) => token === Manager));
  if (!unknown || canAdd) return;
  const names = models.map(({ controller }) => controller.name);
  throw new OperatorError(`unknown controller "${unknown.name}" in the options`, {
    code: 'E_CONFIG',
    hint: `the controllers are ${names.join(', ')}`,
  });
}

/** Logs the options that differ from their defaults with their origin, and at level debug all of them. */
export function logSettings({ describe, warnings }: SettingsReport, logger: Logger): void {
  const changed = describe(false);
  if (Object.keys(changed).length > 0) logger.info('Options', changed);
  logger.debug('All options', describe(true));
  for (const warning of warnings) logger.warn(warning);
}

function webhookServing(
  options: ServingOptions,
  client: Client,
  console: OpenedConsole | undefined,
): WebhookServing | undefined {
  const { webhookCertDir: certDir, webhookAuthority: operator, webhookPort, registerWebhooks = false } = options;
  const { embedded = false, webhookAddress: address = 'auto', webhookObject: objectNames } = options;
  if (registerWebhooks && embedded) return { register: client, onServing: () => options.onServing?.(console) };
  if (registerWebhooks) return { register: client, address, bindAddress: `127.0.0.1:${webhookPort}` };
  const common = { bindAddress: `:${webhookPort}`, clientCaFile: options.webhookClientCa };
  if (operator !== undefined) return { ...common, authority: { client, operator, objectNames } };
  return certDir === undefined ? undefined : { ...common, certDir };
}

function managerOptions(options: RunOperatorOptions): Omit<ManagerOptions, 'client'> {
  const { leaderElectionNamespace: namespace, leaderElectionId: leaseName } = options;
  return {
    ...managerFlags(options),
    leaderElection: options.leaderElect === true && {
      namespace,
      leaseName,
      leaseDuration: options.leaderElectLeaseDuration,
      renewDeadline: options.leaderElectRenewDeadline,
      retryPeriod: options.leaderElectRetryPeriod,
    },
    sharding: options.sharding === true && {
      namespace: options.shardingNamespace,
      name: options.shardingId,
      leaseDuration: options.shardingLeaseDuration,
    },
    onCachesSynced: options.cacheReport === true ? cacheReporter() : undefined,
  };
}

/**
 * Returns a function that prints the report when the caches have synced. The report is printed each time the process
 * receives SIGUSR1, from now on: otherwise the signal starts Node's debugger.
 */
function cacheReporter(): (measure: () => readonly CacheUsage[]) => void {
  let measure: (() => readonly CacheUsage[]) | undefined;
  const report = (): void => {
    const lines = measure ? cacheReport(measure()) : ['Caches: not all of them have synced yet'];
    for (const line of lines) printLine(line);
  };
  process.on('SIGUSR1', report);
  return (synced) => {
    measure = synced;
    report();
  };
}

/** Logs the causes of each reconcile when it begins, while the level is debug. */
function triggerLog(logger: Logger, threshold: LogThreshold): ReconcileObserver {
  return {
    needsReads: false,
    began: (run) => {
      if (!threshold.includes('debug')) return;
      const { controller, key, attempt, id: reconcileID } = run;
      const trigger = describeCauses(run);
      logger.debug('Reconciling', {
        controller,
        ...splitKey(key),
        reconcileID,
        trigger,
        ...(attempt > 1 && { attempt }),
      });
    },
  };
}
