import { flushCompileCache } from 'node:module';
import { describeCauses } from '../api/describe-causes.js';
import type { KindRef } from '../api/kind-ref.js';
import { splitKey } from '../api/object-key.js';
import type { Probe } from '../api/probe.js';
import type { Logger } from '../base/logger.js';
import { createMetrics } from '../base/metrics.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import type { Client } from '../client/client.js';
import { type ClusterConfig, loadClusterConfig } from '../client/cluster-config.js';
import type { CacheUsage } from '../manager/cache-usage.js';
import { unknownControllers, type ControllerOverrides } from '../manager/controller-overrides.js';
import { installCrds } from '../manager/install-crds.js';
import type { ManagerOptions, WebhookServing } from '../manager/manager-options.js';
import { Manager } from '../manager/manager.js';
import { isRun } from '../resource/is-run.js';
import type { ResourceModel } from '../resource/model.js';
import { missingReconcile } from '../manifests/problems/missing-reconcile.js';
import { undecoratedProperties } from '../manifests/problems/undecorated-properties.js';
import { assertReconciled } from './assert-reconciled.js';
import { cacheReport } from './cache-report.js';
import { type EmbeddedServerOptions, kubeconfigLine, startEmbeddedServer } from './embedded-server.js';
import { compiledClasses } from '../manifests/problems/compiled-classes.js';
import { loadCaches, type LoadedResource, loadResources } from './load-resources.js';
import { operatorClients } from './operator-clients.js';
import { printLine } from './print-line.js';
import { stopSignal } from './stop-signal.js';
import { isDebug, type LogOptions, withLogger } from './with-logger.js';

/** Command-line options of run-operator. */
export interface RunOperatorOptions
  extends LogOptions, Pick<EmbeddedServerOptions, 'dataDir' | 'podDelay' | 'failPods' | 'missingImages'> {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly master?: string;
  /** Run on an API server in this process. */
  readonly embedded?: boolean;
  /** Namespaces to watch; none means all. */
  readonly namespace?: readonly string[];
  readonly install?: boolean;
  readonly leaderElect?: boolean;
  readonly leaderElectionNamespace?: string;
  readonly leaderElectionId?: string;
  /** In milliseconds. */
  readonly leaderElectLeaseDuration: number;
  /** In milliseconds. */
  readonly leaderElectRenewDeadline: number;
  /** In milliseconds. */
  readonly leaderElectRetryPeriod: number;
  readonly sharding?: boolean;
  readonly shardingNamespace?: string;
  readonly shardingId?: string;
  /** In milliseconds. */
  readonly shardingLeaseDuration: number;
  /** Options of controllers that replace those of `@Controller`. */
  readonly controller?: ControllerOverrides;
  readonly metricsBindAddress: string;
  readonly metricsAuth?: boolean;
  readonly metricsCertDir?: string;
  readonly healthProbeBindAddress: string;
  readonly debugBindAddress: string;
  readonly sourceBindAddress: string;
  readonly sourceCertDir?: string;
  /** Record reconciles and their requests as spans of OpenTelemetry. */
  readonly tracing?: boolean;
  readonly webhookPort: number;
  readonly webhookCertDir?: string;
  /** Issue the certificate of the webhooks from the authority of the operator with this name. */
  readonly webhookAuthority?: string;
  readonly webhookObject?: readonly string[];
  /** Host and port of a tunnel through which the API server reaches the webhooks. */
  readonly webhookAddress?: string;
  /** Register the webhooks with the API server while the operators run. */
  readonly registerWebhooks?: boolean;
  /** If false, permissions are not checked at the start. */
  readonly preflight?: boolean;
  /** File to add to which accesses were asked for. */
  readonly recordRbac?: string;
  /** Print the objects and sizes of the caches when they have synced, and on SIGUSR1. */
  readonly cacheReport?: boolean;
  /** In milliseconds; 0 disables it. */
  readonly watchAuditInterval: number;
  /** In milliseconds. */
  readonly gracefulShutdownTimeout: number;
}

/** The description of the options that is logged at the start. */
interface SettingsReport {
  /** Describes the options that are set, or all of them. */
  readonly describe: (all: boolean) => Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Delay until the compiled code of a start is cached; caching it earlier would slow down the start. */
const SETTLED_MS = 5000;

/**
 * Runs the operators in files until a signal asks to stop.
 *
 * @throws the reason why they cannot run; ReportedError when it is already logged.
 */
export async function runOperator(
  patterns: readonly string[],
  options: RunOperatorOptions,
  settings: SettingsReport,
): Promise<void> {
  const signal = stopSignal();
  const { kubeconfig, context, master } = options;
  await withLogger(options, async (logger) => {
    const resources = await loadResources(patterns);
    const caches = await loadCaches(patterns);
    const models = resources.map(({ model }) => model);
    assertControllers(options.controller ?? {}, models);
    assertReconciled(models);
    if (options.install) for (const warning of compiledClasses(resources)) logger.warn(warning);
    if (options.embedded !== true) {
      const config = await loadClusterConfig({ kubeconfig, context, master });
      logSettings(settings, logger);
      await run({ resources, caches }, config, options, logger, signal);
      return;
    }
    logSettings(settings, logger);
    const server = await startEmbeddedServer(options, logger);
    try {
      const onServing = (): void => {
        process.stdout.write(`${kubeconfigLine(server.kubeconfig)}\n`);
      };
      const config = await loadClusterConfig({ kubeconfig: server.kubeconfig });
      await run({ resources, caches }, config, { ...options, onServing }, logger, signal);
    } finally {
      await server.stop();
    }
  });
}

/**
 * @throws OperatorError for options of a controller that does not run, unless a class can add others. Then the manager
 * logs a warning.
 */
function assertControllers(overrides: ControllerOverrides, models: readonly ResourceModel[]): void {
  const [unknown] = unknownControllers(overrides, models);
  const canAdd = models.some(({ injections }) => injections.some(({ token }) => token === Manager));
  if (!unknown || canAdd) return;
  const names = models.map(({ controller }) => controller.name);
  throw new OperatorError(`unknown controller "${unknown.name}" in the options`, {
    code: 'E_CONFIG',
    hint: `the controllers are ${names.join(', ')}`,
  });
}

interface ServingOptions extends RunOperatorOptions {
  /** Called with `--embedded` when the API server calls the webhooks, and without webhooks when the operators start. */
  readonly onServing?: () => void;
}

async function run(
  { resources, caches }: { readonly resources: readonly LoadedResource[]; readonly caches: readonly KindRef[] },
  config: ClusterConfig,
  options: ServingOptions,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const metrics = options.metricsBindAddress === '0' ? undefined : await createMetrics();
  const clock = new SystemClock();
  const { recordRbac } = options;
  const clients = operatorClients(config, { logger, clock, metrics, recordRbac });
  const cancel = clock.schedule(SETTLED_MS, flushCompileCache);
  try {
    const models = resources.map(({ model }) => model);
    if (options.install) await installCrds(clients.own, models, { logger, clock, signal });
    const { client, onOwnAccess: onAccess } = clients;
    const probe = isDebug(options) ? triggerLog(logger) : undefined;
    const webhooks = webhookServing(options, clients.own);
    const observed = { logger, metrics, onAccess, probe };
    const manager = new Manager({ ...managerOptions(options), ...observed, client, caches, webhooks });
    for (const { model, sourceFile } of resources) {
      if (isRun(model)) manager.add(model);
      else logger.info(`${model.className} in ${sourceFile} has no reconcile method and is not run`);
      for (const problem of [...missingReconcile(model), ...undecoratedProperties(model)]) logger.warn(problem);
    }
    await manager.run(signal);
  } catch (error) {
    if (error !== signal.reason) throw error;
  } finally {
    cancel();
    clients.close();
  }
}

/** Logs the options that differ from their defaults with their origin, and at level debug all of them. */
function logSettings({ describe, warnings }: SettingsReport, logger: Logger): void {
  const changed = describe(false);
  if (Object.keys(changed).length > 0) logger.info('Options', changed);
  logger.debug('All options', describe(true));
  for (const warning of warnings) logger.warn(warning);
}

function webhookServing(options: ServingOptions, client: Client): WebhookServing | undefined {
  const { webhookCertDir: certDir, webhookAuthority: operator, webhookPort, registerWebhooks = false } = options;
  const { embedded = false, webhookAddress: address = 'auto', webhookObject: objectNames, onServing } = options;
  if (registerWebhooks && embedded) return { register: client, onServing };
  if (registerWebhooks) return { register: client, address, bindAddress: `127.0.0.1:${webhookPort}` };
  const bindAddress = `:${webhookPort}`;
  if (operator !== undefined) return { bindAddress, authority: { client, operator, objectNames } };
  return certDir === undefined ? undefined : { bindAddress, certDir };
}

function managerOptions(options: RunOperatorOptions): Omit<ManagerOptions, 'client'> {
  const { leaderElectionNamespace: namespace, leaderElectionId: leaseName } = options;
  return {
    namespaces: options.namespace,
    controllers: options.controller,
    preflight: options.preflight,
    leaderElection: options.leaderElect === true && {
      namespace,
      leaseName,
      leaseDurationMs: options.leaderElectLeaseDuration,
      renewDeadlineMs: options.leaderElectRenewDeadline,
      retryPeriodMs: options.leaderElectRetryPeriod,
    },
    sharding: options.sharding === true && {
      namespace: options.shardingNamespace,
      name: options.shardingId,
      leaseDurationMs: options.shardingLeaseDuration,
    },
    metricsBindAddress: options.metricsBindAddress,
    metricsAuth: options.metricsAuth,
    metricsCertDir: options.metricsCertDir,
    healthProbeBindAddress: options.healthProbeBindAddress,
    debugBindAddress: options.debugBindAddress,
    sourceBindAddress: options.sourceBindAddress,
    sourceCertDir: options.sourceCertDir,
    tracing: options.tracing,
    watchAuditIntervalMs: options.watchAuditInterval,
    onCachesSynced: options.cacheReport === true ? cacheReporter() : undefined,
    gracefulShutdownTimeoutMs: options.gracefulShutdownTimeout,
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

/** Logs the causes of each reconcile when it begins, at level debug. */
function triggerLog(logger: Logger): Probe {
  return {
    began: (run) => {
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
