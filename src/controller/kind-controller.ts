import type { Cancel } from '../base/clock.js';
import type { Informer } from '../cache/informer.js';
import { FairOrder } from '../queue/fair-order.js';
import type { AddOptions } from '../queue/queue.js';
import { RateLimitingQueue } from '../queue/rate-limiting-queue.js';
import type { ResourceModel } from '../resource/model.js';
import { createControllerParts, type ControllerParts, type KindControllerOptions } from './controller-parts.js';
import { enqueueMapped, enqueueObject, enqueueOwner, type EventHandler } from './event-handler.js';
import { ownKindOf } from '../resource/kinds/kinds-of.js';
import { startSource, type Source } from './source.js';
import { Triggers } from './triggers/triggers.js';
import { Workers } from './workers.js';

/**
 * The control loop of one annotated class.
 *
 * Flow: events of the own kind, of owned and of watched kinds are turned into keys of objects; a queue holds each key
 * once; workers take keys and reconcile the objects.
 * Order: `start` when this process may reconcile, then `stop`. A stopped controller cannot be started again.
 * Guarantees: no reconcile runs before the caches have synced; one object is never reconciled twice at a time; up to
 * `maxConcurrentReconciles` objects are reconciled at once; events of an object that is being reconciled lead to one
 * more reconcile of it.
 * Errors: a failed reconcile is retried with back-off and never stops the controller.
 */
export class KindController {
  readonly name: string;
  readonly triggers: Triggers;
  private readonly parts: ControllerParts;
  private readonly queue: RateLimitingQueue;
  private readonly workers: Workers;

  constructor(
    readonly model: ResourceModel,
    private readonly options: KindControllerOptions,
  ) {
    const { clock, metrics, provided } = options;
    const { name, baseDelayMs, maxDelayMs, maxConcurrentReconciles, reconcileTimeoutMs } = model.controller;
    this.name = name;
    this.parts = createControllerParts(model, options);
    const { log, caches, reconciler, due, recorder, hintFor } = this.parts;
    const queueMetrics = metrics && { metrics: metrics.queue };
    this.queue = new RateLimitingQueue({
      name,
      clock,
      order: new FairOrder(),
      baseDelayMs,
      maxDelayMs,
      ...queueMetrics,
    });
    this.triggers = new Triggers(model, {
      clock,
      logger: log,
      enqueue: this.enqueue,
      caches,
      provided,
      due,
      callDaemon: (request, method, task) => reconciler.runDaemon(request, method, task),
      metrics: metrics?.triggers,
    });
    this.workers = new Workers({
      queue: this.queue,
      reconcile: (request) => reconciler.reconcile(request),
      onTimeout: (request, error) => void reconciler.timedOut(request, error),
      maxConcurrentReconciles,
      reconcileTimeoutMs,
      clock,
      logger: log,
      metrics: metrics?.controller,
      recorder,
      hintFor,
    });
  }

  /** The informers that must have synced before the first reconcile. */
  get informers(): readonly Informer[] {
    return this.parts.caches.informers;
  }

  /**
   * Begins to follow events; resolves when the caches have synced and the workers have started.
   *
   * Call it once, when this process may reconcile. Rejects with the reason of an abort.
   */
  async start(signal: AbortSignal): Promise<void> {
    this.setUpEventHandlers();
    this.parts.log.info(`Starting ${this.model.className} controller`);
    this.parts.log.info('Waiting for informer caches to sync');
    await this.cachesSynced(signal);
    const workerCount = this.model.controller.maxConcurrentReconciles;
    this.parts.log.info('Starting workers', { workerCount });
    this.workers.start();
    this.triggers.startSources();
    this.parts.log.info('Started workers', { workerCount });
  }

  /** Stops taking keys; resolves when the running reconciles have ended. */
  async stop(): Promise<void> {
    this.parts.log.info('Shutting down workers');
    const triggersStopped = this.triggers.stop(new Error('the controller is stopping'));
    this.parts.recorder?.stop();
    await Promise.all([this.workers.stop(), triggersStopped]);
  }

  /** Aborts the signal of every running reconcile. */
  abort(reason: Error): void {
    this.workers.abort(reason);
  }

  /** The keys being reconciled. */
  get runningKeys(): readonly string[] {
    return this.workers.runningKeys;
  }

  /**
   * Connects the queue to the informers, which replay the objects they hold.
   *
   * Not done earlier: while another replica leads, nothing would take keys and deleted objects from the queue, and a
   * takeover would call `deleted()` for objects that the other replica has already handled.
   */
  private setUpEventHandlers(): void {
    this.parts.log.info('Setting up event handlers');
    const { kind } = this.model;
    for (const informer of this.parts.caches.informersFor(kind)) {
      informer.addEventHandler((event) => {
        this.triggers.follow(event);
      });
    }
    for (const source of this.sources()) startSource(source, this.enqueue, this.parts.log);
    for (const informer of this.informers) {
      informer.addEventHandler(({ type, object: { metadata } }) => {
        if (type === 'delete') this.parts.applier.forget(informer.kind, metadata.name, metadata.namespace);
      });
    }
  }

  private readonly enqueue = (key: string, options: AddOptions): void => {
    this.queue.add(key, options);
  };

  private sources(): Source[] {
    const { kind, className, controller, owns, watches } = this.model;
    const own: EventHandler = (event, enqueue, options) => {
      if (event.type === 'delete') this.parts.reconciler.recordDeletion(event.object);
      enqueueObject(event, enqueue, options);
    };
    return [
      {
        name: kind.kind,
        className,
        informers: this.parts.caches.informersFor(ownKindOf(this.model)),
        predicate: controller.predicate,
        handler: own,
      },
      ...owns.map((owned) => ({
        name: `@${owned.isImplied ? 'Dependent' : 'Owns'}(${owned.kind.kind})`,
        className,
        informers: this.parts.caches.informersFor(owned.kind),
        predicate: owned.predicate ?? everything,
        handler: enqueueOwner(kind),
      })),
      ...watches.map((watched) => ({
        name: `@Watches(${watched.kind.kind})`,
        className,
        informers: this.parts.caches.informersFor(watched.kind),
        predicate: watched.predicate ?? everything,
        handler: enqueueMapped(watched.mapper, this.parts.caches, kind),
      })),
    ];
  }

  /** Logs a reminder at intervals and never gives up: a CRD may be installed at any time. */
  private async cachesSynced(signal: AbortSignal): Promise<void> {
    const remind = (): Cancel =>
      this.options.clock.schedule(this.model.controller.cacheSyncTimeoutMs, () => {
        const waiting = this.informers.filter(({ hasSynced }) => !hasSynced);
        this.parts.log.warn('Still waiting for informer caches to sync', {
          kinds: waiting.map(({ kind }) => kind.kind),
        });
        cancel = remind();
      });
    let cancel = remind();
    try {
      await Promise.all(this.informers.map((informer) => informer.synced(signal)));
    } finally {
      cancel();
    }
  }
}

const everything = (): boolean => true;
