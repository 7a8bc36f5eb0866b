import { Writable } from 'node:stream';
import type { Logger } from '../base/logger.js';
import { LogThreshold } from '../base/log-threshold.js';
import { createPinoLogger } from '../base/pino-logger.js';
import { SystemClock } from '../base/system-clock.js';
import type { ClientMetrics } from '../client/client-metrics.js';
import { Client } from '../client/client.js';
import { loadClusterConfig } from '../client/cluster-config.js';
import { aborted } from '../manager/aborted.js';
import type { ManagerOptions } from '../manager/manager-options.js';
import { Manager } from '../manager/manager.js';
import { isRun } from '../resource/is-run.js';
import { byKind } from '../resource/kinds/versions.js';
import type { ResourceModel } from '../resource/model.js';
import { countNoun } from './count-noun.js';
import { createSamples } from './create-samples.js';
import { type Display, PlainDisplay } from './demo/display.js';
import { assertReconciled } from './assert-reconciled.js';
import { LiveDisplay } from './demo/live-display.js';
import { Showcase } from './demo/showcase.js';
import { startEmbeddedServer } from './embedded-server.js';
import { exitOnUnhandledError } from './exit-on-unhandled-error.js';
import { installModels } from '../manager/install/install-models.js';
import { loadResources } from './load-resources.js';
import { consoleOpener } from './open-console.js';
import { stopSignal } from './stop-signal.js';
import { toggleDebugOnSignal } from './toggle-debug-on-signal.js';

/** Command-line options of demo. */
export interface DemoOptions {
  readonly verbose?: boolean;
}

/** Long enough that a starting pod is visible in the table. */
const POD_START_MS = 400;
/** Short, because a demo has no work to lose. */
const GRACE_MS = 300;

/**
 * Runs operators on an API server in this process, applies their samples and shows their status.
 *
 * Runs until SIGINT or SIGTERM.
 * @throws OperatorError when the operators cannot be loaded, or none of the classes has a `reconcile` method
 */
export async function demo(patterns: readonly string[], { verbose = false }: DemoOptions): Promise<void> {
  const signal = stopSignal();
  const { display, logger } = await createOutput(verbose);
  exitOnUnhandledError(logger);
  const models = (await loadResources(patterns)).map(({ model }) => model);
  assertReconciled(models);
  display.note(`Loaded ${models.map(({ className }) => className).join(', ')}`);
  const server = await startEmbeddedServer({ podDelay: POD_START_MS }, logger);
  display.note(`API server listening on ${server.url}`);
  const open = consoleOpener({ console: true });
  const console = await open?.(models, logger);
  const recorded = console?.managerOptions ?? { logger };
  const client = await openClient(server.kubeconfig, recorded.logger, console);
  try {
    await console?.start(client);
    await present(
      { client, models, display, kubeconfig: server.kubeconfig, ...recorded, consoleUrl: console?.url },
      signal,
    );
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await console?.close();
    client.close();
    await server.stop();
  }
}

async function openClient(
  kubeconfig: string,
  logger: Logger,
  console: { readonly clientMetrics: ClientMetrics } | undefined,
): Promise<Client> {
  return new Client(await loadClusterConfig({ kubeconfig }), { logger, metrics: console?.clientMetrics });
}

async function createOutput(isVerbose: boolean): Promise<{ readonly display: Display; readonly logger: Logger }> {
  const isLive = canRedraw(process.stdout);
  const display = isLive ? new LiveDisplay(process.stdout) : new PlainDisplay(process.stdout);
  const threshold = new LogThreshold(isVerbose ? 'debug' : 'warn');
  const logger = await createPinoLogger({
    level: threshold,
    format: 'text',
    color: process.stderr.isTTY && process.stderr.hasColors(),
    ...(isLive && { destination: notes(display) }),
  });
  toggleDebugOnSignal(threshold, logger);
  return { display, logger };
}

interface Presentation extends Pick<ManagerOptions, 'observer' | 'onInspectable'> {
  readonly consoleUrl: string | undefined;
  readonly client: Client;
  readonly models: readonly ResourceModel[];
  readonly display: Display;
  readonly kubeconfig: string;
  readonly logger: Logger;
}

async function present(presentation: Presentation, signal: AbortSignal): Promise<void> {
  const { client, models, display, logger, observer, onInspectable } = presentation;
  const clock = new SystemClock();
  await installModels(client, models, { logger, clock, signal });
  display.note(`Installed ${countNoun(byKind(models).length, 'CustomResourceDefinition')}`);
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => {
    served = resolve;
  });
  const manager = new Manager({
    client,
    logger,
    clock,
    observer,
    onInspectable,
    gracefulShutdownTimeout: GRACE_MS,
    webhooks: { register: client, onServing: served },
  });
  for (const model of models) if (isRun(model)) manager.add(model);
  const showcase = new Showcase({ ...presentation, models: shownModels(models), clock });
  await together(signal, [
    (own) => manager.run(own),
    (own) => showcase.follow(own),
    async (own) => {
      await Promise.race([serving, aborted(own)]);
      if (own.aborted) return;
      display.note('Applying samples');
      await createSamples(client, models, own);
    },
  ]);
}

/** Runs tasks in parallel; an error of one aborts the others, and is thrown once all have ended. */
async function together(signal: AbortSignal, tasks: readonly ((own: AbortSignal) => Promise<void>)[]): Promise<void> {
  const failure = new AbortController();
  const own = AbortSignal.any([signal, failure.signal]);
  const running = tasks.map(async (task) => {
    await task(own).catch((error: unknown) => failure.abort(error));
  });
  await Promise.all(running);
  failure.signal.throwIfAborted();
}

/** One version of each kind: the reconciled one, otherwise the first that is served. */
function shownModels(models: readonly ResourceModel[]): ResourceModel[] {
  return byKind(models).flatMap((versions) => {
    const served = versions.filter(({ version }) => version.served);
    return served.find(({ isReconciled }) => isReconciled) ?? served.slice(0, 1);
  });
}

function canRedraw({ isTTY }: NodeJS.WriteStream): boolean {
  const { NO_COLOR = '', TERM } = process.env;
  return isTTY && NO_COLOR === '' && TERM !== 'dumb';
}

/** A stream for the operators' log that prints above the table instead of across it. */
function notes(display: Display): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      display.note(String(chunk).trimEnd());
      done();
    },
  });
}
