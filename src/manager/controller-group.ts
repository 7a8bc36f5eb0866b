import type { Metrics } from '../base/metrics.js';
import type { InformerFactory } from '../cache/informer-factory.js';
import type { Informer } from '../cache/informer.js';
import { KindController } from '../controller/kind-controller.js';
import { EventRecorder } from '../controller/event-recorder.js';
import { OwnWrites } from '../controller/own-writes.js';
import type { WriteFence } from '../controller/write-fence.js';
import type { ResourceModel } from '../resource/model.js';
import { reconcileMetrics, workqueueMetrics } from './operator-metrics.js';
import { triggerMetrics } from './trigger-metrics.js';
import type { RunOptions } from './run-options.js';
import type { SourceRoute } from './sources/source-server.js';
import { settledWithin } from './settled-within.js';

/** The parts that all controllers of a manager share. */
interface SharedParts {
  readonly informers: InformerFactory;
  readonly fence: WriteFence;
  readonly metrics: Metrics | undefined;
}

/** The time for aborted reconciles to end before the shutdown continues without them. */
const ABORT_GRACE_MS = 1000;
const EVENT_FLUSH_MS = 3000;

/**
 * The controllers of a manager and the recorder of their Events.
 *
 * Order: `start` once this process may write, then either `shutDown` or `abandon`.
 */
export class ControllerGroup {
  private readonly controllers: readonly KindController[];
  private readonly recorder: EventRecorder;

  constructor(
    models: readonly ResourceModel[],
    private readonly options: RunOptions,
    { informers, fence, metrics }: SharedParts,
  ) {
    const { client, clock, logger, strict, probe, provided, detectHotLoops = true } = options;
    const recorder = new EventRecorder({ client, clock, logger, fence });
    const observed = { probe, detectHotLoops, ownWrites: new OwnWrites() };
    const shared = { client, informers, recorder, fence, clock, logger, strict, provided, ...observed };
    const reconciles = metrics && reconcileMetrics(metrics);
    const triggers = metrics && triggerMetrics(metrics, models);
    const queue = metrics && workqueueMetrics(metrics);
    this.recorder = recorder;
    this.controllers = models.map((model) => {
      const { name, maxConcurrentReconciles } = model.controller;
      const own = reconciles &&
        queue &&
        triggers && { controller: reconciles(name, maxConcurrentReconciles), queue, triggers: triggers(model) };
      return new KindController(model, { ...shared, metrics: own });
    });
  }

  /** The HTTP endpoints of `@Source` methods. */
  get sourceRoutes(): SourceRoute[] {
    return this.controllers.flatMap(({ model, triggers }) =>
      model.sources.flatMap((source) => (source.type === 'http' ? [{ source, triggers }] : [])),
    );
  }

  /** The informers of all controllers, each once. */
  get informers(): readonly Informer[] {
    return [...new Set(this.controllers.flatMap(({ informers }) => informers))];
  }

  /** Resolves when the workers of all controllers have started; rejects with the reason of an abort. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(this.controllers.map((controller) => controller.start(signal)));
  }

  /** Waits for running reconciles to finish; they are aborted after the grace period, or when `lost` rejects. */
  async shutDown(lost: Promise<void>): Promise<void> {
    const { clock, logger, gracefulShutdownTimeoutMs = 30_000 } = this.options;
    const stopped = this.stop();
    const ended = lost.catch((error: unknown) => {
      this.abort(error as Error);
    });
    if (!(await settledWithin(clock, gracefulShutdownTimeoutMs, Promise.race([stopped, ended])))) {
      logger.warn('Running reconciles are aborted', {
        keys: this.controllers.flatMap(({ runningKeys }) => runningKeys),
      });
      this.abort(new Error('the manager is shutting down'));
    }
    await settledWithin(clock, ABORT_GRACE_MS, stopped);
    await this.recorder.close(EVENT_FLUSH_MS);
  }

  /** Aborts running reconciles immediately and drops Events that are not yet written. */
  async abandon(reason: Error): Promise<void> {
    this.abort(reason);
    await settledWithin(this.options.clock, ABORT_GRACE_MS, this.stop());
    await this.recorder.close(0);
  }

  private async stop(): Promise<void> {
    await Promise.all(this.controllers.map((controller) => controller.stop()));
  }

  private abort(reason: Error): void {
    for (const controller of this.controllers) controller.abort(reason);
  }
}
