import type { IncomingMessage } from 'node:http';
import type { Cancel, Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { createMetrics, type Metrics } from '../base/metrics.js';
import { OperatorError } from '../base/operator-error.js';
import { InformerFactory } from '../cache/informer-factory.js';
import type { Informer } from '../cache/informer.js';
import { Controller } from '../controller/controller.js';
import { EventRecorder } from '../controller/event-recorder.js';
import { OwnWrites } from '../controller/own-writes.js';
import { WriteFencedError } from '../controller/write-fence.js';
import type { ResourceModel } from '../resource/model.js';
import type { ProvidedValues } from '../resource/provided-values.js';
import { createElector, type Election } from './create-elector.js';
import { listen, type HttpEndpoint } from './http-endpoint.js';
import { reportInformerErrors } from './informer-diagnosis.js';
import type { ManagerOptions } from './manager-options.js';
import { leaderMetrics, reconcileMetrics, workqueueMetrics } from './operator-metrics.js';
import { MetricsAccess } from './metrics-access.js';
import { reportMissingPermissions } from './missing-permissions.js';
import { probes } from './probes.js';
import { readServingCertificate, watchServingCertificate } from './serving-certificate.js';
import { StartHooks } from './start-hooks.js';
import { settledWithin } from './settled-within.js';

export interface RunOptions extends ManagerOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly strict: boolean;
  readonly provided: ProvidedValues;
}

/** The time for aborted reconciles to end before the shutdown continues without them. */
const ABORT_GRACE_MS = 1000;
const EVENT_FLUSH_MS = 3000;
/** The longest time that the start waits for checks that are not required. */
const PREFLIGHT_MS = 500;

/** One run of a manager: creates its parts, and starts and stops them in order. */
export class ManagerRun {
  private readonly informers: InformerFactory;
  private readonly recorder: EventRecorder;
  private readonly startHooks: StartHooks;
  private readonly controllers: readonly Controller[];
  private readonly election: Election | undefined;
  private readonly endpoints: HttpEndpoint[] = [];
  private closedWhy: string | undefined;
  private cancelReload: Cancel | undefined;

  private constructor(
    private readonly models: readonly ResourceModel[],
    private readonly options: RunOptions,
    private readonly metrics: Metrics | undefined,
  ) {
    const { client, clock, logger, namespaces = [], strict } = options;
    this.informers = options.informers ?? new InformerFactory(client, { clock, logger, namespaces, freeze: strict });
    this.startHooks = new StartHooks(models, { client, log: logger }, options.provided);
    this.recorder = new EventRecorder({ client, clock, logger, fence: this.fence });
    this.controllers = this.createControllers();
    this.election = createElector(
      options,
      this.controllers.map(({ name }) => name),
    );
  }

  /** The metrics library costs memory and time, so it is loaded only if metrics are served. */
  static async create(models: readonly ResourceModel[], options: RunOptions): Promise<ManagerRun> {
    const { metricsBindAddress: address = '0' } = options;
    const metrics = options.metrics ?? (address === '0' ? undefined : await createMetrics());
    return new ManagerRun(models, options, metrics);
  }

  /** Resolves after an orderly stop. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.serve();
      for (const informer of this.allInformers()) reportInformerErrors(informer, this.models, this.options.logger);
      await this.preflight(signal);
      await this.startHooks.run(signal);
      this.informers.start();
      if (await this.acquireLease(signal)) await this.work(signal);
    } finally {
      this.closedWhy = 'the manager has stopped';
      this.cancelReload?.();
      await this.informers.stop();
      await this.startHooks.dispose();
      await this.election?.elector.release();
      this.election?.close();
      await Promise.all(this.endpoints.map((endpoint) => endpoint.close()));
    }
  }

  /** Logs missing permissions with their decorators before a watch that needs them fails. */
  private async preflight(signal: AbortSignal): Promise<void> {
    const { preflight: isWanted = true, client, clock, logger, namespaces = [] } = this.options;
    if (!isWanted || signal.aborted) return;
    await settledWithin(
      clock,
      PREFLIGHT_MS,
      reportMissingPermissions(this.models, { client, logger, namespaces, signal }),
    );
  }

  /** Throws when this process must not write. */
  private readonly fence = (): void => {
    if (this.closedWhy !== undefined) throw new WriteFencedError(this.closedWhy);
    if (this.election && !this.election.elector.isLeading) throw new WriteFencedError('this process is not the leader');
  };

  private createControllers(): Controller[] {
    const { client, clock, logger, strict, probe, provided, detectHotLoops = true } = this.options;
    const { informers, recorder, fence, metrics } = this;
    const ownWrites = new OwnWrites();
    const reconciles = metrics && reconcileMetrics(metrics);
    const queue = metrics && workqueueMetrics(metrics);
    return this.models.map((model) => {
      const { name, maxConcurrentReconciles } = model.controller;
      const own = reconciles && queue && { controller: reconciles(name, maxConcurrentReconciles), queue };
      const observed = { probe, detectHotLoops, ownWrites };
      const shared = { client, informers, recorder, fence, clock, logger, strict, provided, ...observed };
      return new Controller(model, { ...shared, metrics: own });
    });
  }

  private allInformers(): Informer[] {
    return [...new Set(this.controllers.flatMap(({ informers }) => informers))];
  }

  private async serve(): Promise<void> {
    const { healthProbeBindAddress: health = '0', metricsBindAddress = '0', logger } = this.options;
    if (health === metricsBindAddress && !/^0$|:0$/.test(health)) {
      throw new OperatorError(`metrics and health probes cannot both be served at ${health}`, {
        code: 'E_BIND_ADDRESS',
        hint: 'choose another address for one of them',
      });
    }
    const healthEndpoint = await this.listen(
      health,
      probes(() => this.allInformers()),
    );
    if (healthEndpoint) logger.info('Serving health probes', { address: healthEndpoint.address });
    await this.serveMetrics(metricsBindAddress);
  }

  private async serveMetrics(bindAddress: string): Promise<void> {
    const { metrics } = this;
    if (!metrics) return;
    const { client, clock, logger, metricsAuth, metricsCertDir: folder } = this.options;
    const access = metricsAuth === true ? new MetricsAccess(client, clock) : undefined;
    const expose = async ({ headers }: IncomingMessage) =>
      (await access?.refusal(headers.authorization, '/metrics')) ?? { status: 200, ...(await metrics.expose()) };
    const certificate = folder === undefined ? undefined : readServingCertificate(folder);
    const endpoint = await this.listen(bindAddress, { '/metrics': expose }, certificate);
    if (!endpoint) return;
    logger.info('Serving metrics', { address: endpoint.address });
    if (folder === undefined) return;
    this.cancelReload = watchServingCertificate(folder, clock, (next) => {
      endpoint.renew(next);
    });
  }

  private async listen(...args: Parameters<typeof listen>): Promise<HttpEndpoint | undefined> {
    const endpoint = await listen(...args);
    if (endpoint) this.endpoints.push(endpoint);
    return endpoint;
  }

  /** Resolves with true when this process may work, with false when it is stopped before. */
  private async acquireLease(signal: AbortSignal): Promise<boolean> {
    try {
      await this.election?.elector.acquire(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return !signal.aborted;
  }

  /** Starts the controllers and resolves when they have stopped. */
  private async work(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const leading = this.lead(ended.signal);
    const starting = Promise.all(this.controllers.map((controller) => controller.start(signal)));
    const stopped = starting.then(() => aborted(signal));
    try {
      await Promise.race([leading, stopped]);
    } catch (error) {
      if (!signal.aborted) {
        await this.abandon(error as Error);
        throw error;
      }
    }
    await this.shutDown(leading);
    ended.abort(new Error('the manager has stopped'));
    await leading;
  }

  /** Resolves when aborted. @throws LeaseLostError */
  private async lead(ended: AbortSignal): Promise<void> {
    if (!this.election) return aborted(ended);
    const { elector, leaseName } = this.election;
    const setLeading = this.metrics && leaderMetrics(this.metrics);
    setLeading?.(leaseName, true);
    try {
      await elector.renew(ended);
    } finally {
      setLeading?.(leaseName, false);
    }
  }

  /** Waits for running reconciles to finish while the lease is held. */
  private async shutDown(leading: Promise<void>): Promise<void> {
    const { clock, logger, gracefulShutdownTimeoutMs = 30_000 } = this.options;
    const stopped = Promise.all(this.controllers.map((controller) => controller.stop()));
    const lost = leading.catch((error: unknown) => {
      this.abortAll(error as Error);
    });
    if (!(await settledWithin(clock, gracefulShutdownTimeoutMs, Promise.race([stopped, lost])))) {
      logger.warn('Running reconciles are aborted', {
        keys: this.controllers.flatMap(({ runningKeys }) => runningKeys),
      });
      this.abortAll(new Error('the manager is shutting down'));
    }
    await settledWithin(clock, ABORT_GRACE_MS, stopped);
    await this.recorder.close(EVENT_FLUSH_MS);
  }

  /** Aborts all work immediately: another process may have taken over. */
  private async abandon(reason: Error): Promise<void> {
    this.closedWhy = reason.message;
    this.options.logger.error(reason.message);
    this.abortAll(reason);
    const stopped = Promise.all(this.controllers.map((controller) => controller.stop()));
    await settledWithin(this.options.clock, ABORT_GRACE_MS, stopped);
    await this.recorder.close(0);
  }

  private abortAll(reason: Error): void {
    for (const controller of this.controllers) controller.abort(reason);
  }
}

/** Resolves when the signal is aborted. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        resolve();
      },
      { once: true },
    );
  });
}
