import { flushCompileCache } from 'node:module';
import type { Logger } from '../base/logger.js';
import { createMetrics, type Metrics } from '../base/metrics.js';
import { createPinoLogger, type LogLevel } from '../base/pino-logger.js';
import { SystemClock } from '../base/system-clock.js';
import type { ClientMetrics } from '../client/client-metrics.js';
import { Client } from '../client/client.js';
import { loadClusterConfig } from '../client/cluster-config.js';
import type { ManagerOptions } from '../manager/manager-options.js';
import { Manager } from '../manager/manager.js';
import { exitWhenFlushed } from './exit-when-flushed.js';
import { ExitCode } from './exit-codes.js';
import { installCrds } from './install-crds.js';
import { loadResources, type LoadedResource } from './load-resources.js';
import { exitCodeFor, logError, ReportedError } from './report-error.js';
import { stopSignal } from './stop-signal.js';

/** What the command line of run-operator says. */
export interface RunOperatorOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly master?: string;
  /** Namespaces to watch; none means all. */
  readonly namespace?: readonly string[];
  readonly install?: boolean;
  readonly leaderElect?: boolean;
  readonly leaderElectionNamespace?: string;
  readonly leaderElectionId?: string;
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  /** In milliseconds. */
  readonly gracefulShutdownTimeout: number;
  readonly logLevel: LogLevel;
  readonly logFormat?: 'text' | 'json';
  readonly verbose?: boolean;
}

/** When a start is over, so that what it compiled may be written down without delaying it. */
const SETTLED_MS = 5000;

/**
 * Runs the operators in files until a signal asks to stop.
 *
 * @throws what keeps them from running; ReportedError when the log says it already.
 */
export async function runOperator(patterns: readonly string[], options: RunOperatorOptions): Promise<void> {
  const signal = stopSignal();
  const { isTTY } = process.stderr;
  const format = options.logFormat ?? (isTTY ? 'text' : 'json');
  const level = options.verbose ? 'debug' : options.logLevel;
  const logger = await createPinoLogger({ level, format, color: isTTY && process.stderr.hasColors() });
  exitOnStrayErrors(logger);
  try {
    await serve(await loadResources(patterns), options, logger, signal);
  } catch (error) {
    if (format === 'text') throw error;
    logError(logger, error, options.verbose === true);
    throw new ReportedError(exitCodeFor(error));
  }
}

async function serve(
  resources: readonly LoadedResource[],
  options: RunOperatorOptions,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { kubeconfig, context, master } = options;
  const metrics = options.metricsBindAddress === '0' ? undefined : await createMetrics();
  const client = new Client(await loadClusterConfig({ kubeconfig, context, master }), {
    logger,
    ...(metrics && { metrics: requestMetrics(metrics) }),
  });
  const clock = new SystemClock();
  const cancel = clock.schedule(SETTLED_MS, flushCompileCache);
  try {
    const models = resources.map(({ model }) => model);
    if (options.install) await installCrds(client, models, { logger, clock, signal });
    const manager = new Manager({ ...managerOptions(options), client, logger, metrics });
    for (const model of models) manager.add(model);
    await manager.run(signal);
  } catch (error) {
    if (error !== signal.reason) throw error;
  } finally {
    cancel();
    client.close();
  }
}

function managerOptions(options: RunOperatorOptions): Omit<ManagerOptions, 'client'> {
  const { leaderElectionNamespace: namespace, leaderElectionId: leaseName } = options;
  return {
    namespaces: options.namespace,
    leaderElection: options.leaderElect === true && { namespace, leaseName },
    metricsBindAddress: options.metricsBindAddress,
    healthProbeBindAddress: options.healthProbeBindAddress,
    gracefulShutdownTimeoutMs: options.gracefulShutdownTimeout,
  };
}

function requestMetrics(metrics: Metrics): ClientMetrics {
  const help = 'Number of HTTP requests, partitioned by status code, method, and host.';
  const total = metrics.counter('rest_client_requests_total', help, ['code', 'method', 'host']);
  return {
    request(code, method, host) {
      total.inc({ code, method, host });
    },
  };
}

/** A rejection that nobody awaits, or a throw in a timer, leaves the process in no known state: it ends. */
function exitOnStrayErrors(logger: Logger): void {
  const handle = (what: string) => (error: unknown) => {
    logger.error(`${what}: it must be handled where it happens, so the operator ends`, { err: error });
    void exitWhenFlushed(ExitCode.failure);
  };
  process.on('unhandledRejection', handle('a promise was rejected that nothing awaits'));
  process.on('uncaughtException', handle('an error was thrown outside of a reconcile'));
}
