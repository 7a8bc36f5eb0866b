import type { KubeObject } from '../api/kube-object.js';
import type { Probe } from '../api/probe.js';
import type { Cancel, Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { InformerFactory } from '../cache/informer-factory.js';
import type { Informer } from '../cache/informer.js';
import type { Client } from '../client/client.js';
import { FairOrder } from '../queue/fair-order.js';
import type { AddOptions } from '../queue/queue.js';
import { RateLimitingQueue } from '../queue/rate-limiting-queue.js';
import type { WorkqueueMetrics } from '../queue/workqueue-metrics.js';
import type { ResourceModel } from '../resource/model.js';
import type { ProvidedValues } from '../resource/provided-values.js';
import { Applier } from './applier.js';
import { CachedKinds } from './cached-kinds.js';
import { ChildCreator } from './child-creator.js';
import type { ControllerMetrics } from './controller-metrics.js';
import { enqueueMapped, enqueueObject, enqueueOwner, type EventHandler } from './event-handler.js';
import type { EventRecorder } from './event-recorder.js';
import { Finalizers } from './finalizers.js';
import { HotLoopDetector } from './loops/hot-loop-detector.js';
import { HotLoopReporter } from './loops/hot-loop-reporter.js';
import { ObjectWriter } from './object-writer.js';
import type { OwnWrites } from './own-writes.js';
import { kindsOf, ownKindOf } from '../resource/kinds/kinds-of.js';
import { rbacHint } from './rbac-hint.js';
import { ReconciledCondition } from './reconciled-condition.js';
import { OwnerCheck } from './owner-check.js';
import { Reconciler } from './reconciler.js';
import { RunRecorder } from './run-recorder.js';
import { startSource, type Source } from './source.js';
import { StatusWriter } from './status-writer.js';
import type { TriggerMetrics } from './triggers/trigger-metrics.js';
import { Triggers } from './triggers/triggers.js';
import { UnwatchedKinds } from './unwatched-kinds.js';
import { Workers } from './workers.js';
import type { WriteFence } from './write-fence.js';

export interface KindControllerOptions {
  readonly client: Client;
  readonly informers: Pick<InformerFactory, 'informersFor' | 'lister'>;
  readonly recorder: Pick<EventRecorder, 'record'>;
  readonly fence: WriteFence;
  readonly clock: Clock;
  readonly logger: Logger;
  /** If set, changes that are never written are errors. */
  readonly strict: boolean;
  /** Observes the reconciles. */
  readonly probe?: Probe | undefined;
  readonly detectHotLoops: boolean;
  /** The values of `@Inject` properties. */
  readonly provided: ProvidedValues;
  /** Shared by all controllers of a manager. */
  readonly ownWrites: OwnWrites;
  readonly metrics?:
    | { readonly controller: ControllerMetrics; readonly queue: WorkqueueMetrics; readonly triggers: TriggerMetrics }
    | undefined;
}

/**
 * The control loop of one annotated class.
 *
 * Flow: events of the own kind, of owned and of watched kinds are turned into keys of objects; a queue holds each key
 * once; workers take keys and reconcile the objects.
 * Order: `start` when this process may reconcile, then `stop`. A stopped controller cannot be
 * started again.
 * Guarantees: no reconcile runs before the caches have synced; one object is never reconciled twice at a time; up to
 * `maxConcurrentReconciles` objects are reconciled at once; events of an object that is being reconciled lead to one
 * more reconcile of it.
 * Errors: a failed reconcile is retried with back-off and never stops the controller.
 */
export class KindController {
  readonly name: string;
  private readonly caches: CachedKinds;
  private readonly queue: RateLimitingQueue;
  private readonly applier: Applier;
  private readonly reconciler: Reconciler;
  private readonly recorder: RunRecorder | undefined;
  private readonly workers: Workers;
  readonly triggers: Triggers;
  private readonly log: Logger;

  constructor(
    readonly model: ResourceModel,
    private readonly options: KindControllerOptions,
  ) {
    const { client, fence, clock, metrics, recorder } = options;
    const { kind, className } = model;
    const { name, fieldManager, baseDelayMs, maxDelayMs, maxConcurrentReconciles, reconcileTimeoutMs } =
      model.controller;
    this.name = name;
    this.log = options.logger.child({ controller: name });
    this.caches = new CachedKinds(options.informers, kindsOf(model), className);
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
      logger: this.log,
      enqueue: this.enqueue,
      caches: this.caches,
      provided: options.provided,
      callDaemon: (request, method, task) => this.reconciler.runDaemon(request, method, task),
      metrics: metrics?.triggers,
    });
    const unwatched = new UnwatchedKinds(model, this.log);
    const writer = new ObjectWriter(client, this.caches, fence, fieldManager);
    const ownerCheck = new OwnerCheck(kind, client, this.caches);
    this.applier = new Applier(kind, client, this.caches, writer, ownerCheck);
    const finalizerNames = model.finalizers.map((finalizer) => finalizer.name);
    this.reconciler = new Reconciler(
      model,
      {
        client,
        caches: this.caches,
        writer,
        applier: this.applier,
        creator: new ChildCreator(kind, client, this.caches, writer, ownerCheck),
        unwatched,
        record: (about, type, reason, message) => {
          recorder.record({ component: name, about: subjectOf(about), type, reason, message });
        },
      },
      new Finalizers(kind, finalizerNames, client, writer),
      new StatusWriter(kind, client, writer),
      new ReconciledCondition(model, clock),
      options.strict,
      options.provided,
      this.triggers.due,
    );
    this.recorder = this.createRecorder();
    this.workers = new Workers({
      queue: this.queue,
      reconcile: (request) => this.reconciler.reconcile(request),
      onTimeout: (request, error) => void this.reconciler.timedOut(request, error),
      maxConcurrentReconciles,
      reconcileTimeoutMs,
      clock,
      logger: this.log,
      metrics: metrics?.controller,
      recorder: this.recorder,
      hintFor: (error) => rbacHint(error, model, unwatched),
    });
  }

  /** The informers that must have synced before the first reconcile. */
  get informers(): readonly Informer[] {
    return this.caches.informers;
  }

  /**
   * Begins to follow events; resolves when the caches have synced and the workers have started.
   *
   * Call it once, when this process may reconcile. Rejects with the reason of an abort.
   */
  async start(signal: AbortSignal): Promise<void> {
    this.setUpEventHandlers();
    this.log.info(`Starting ${this.model.className} controller`);
    this.log.info('Waiting for informer caches to sync');
    await this.cachesSynced(signal);
    const workerCount = this.model.controller.maxConcurrentReconciles;
    this.log.info('Starting workers', { workerCount });
    this.workers.start();
    this.triggers.startSources();
    this.log.info('Started workers', { workerCount });
  }

  /** Stops taking keys; resolves when the running reconciles have ended. */
  async stop(): Promise<void> {
    this.log.info('Shutting down workers');
    const triggersStopped = this.triggers.stop(new Error('the controller is stopping'));
    this.recorder?.stop();
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
    this.log.info('Setting up event handlers');
    const { kind } = this.model;
    for (const informer of this.caches.informersFor(kind)) {
      informer.addEventHandler((event) => {
        this.triggers.follow(event);
      });
    }
    for (const source of this.sources()) startSource(source, this.enqueue, this.log);
    for (const informer of this.informers) {
      informer.addEventHandler(({ type, object: { metadata } }) => {
        if (type === 'delete') this.applier.forget(informer.kind, metadata.name, metadata.namespace);
      });
    }
  }

  private readonly enqueue = (key: string, options: AddOptions): void => {
    this.queue.add(key, options);
  };

  /** Runs are recorded only for a probe or for the detection of hot loops. */
  private createRecorder(): RunRecorder | undefined {
    const { client, clock, probe, ownWrites, detectHotLoops } = this.options;
    if (!probe && !detectHotLoops) return undefined;
    const { fieldManager } = this.model.controller;
    const shared = { clock, logger: this.log };
    const loops = detectHotLoops
      ? { detector: new HotLoopDetector(clock), reporter: new HotLoopReporter({ client, fieldManager, ...shared }) }
      : undefined;
    return new RunRecorder({ controller: this.name, probe, ownWrites, loops, ...shared });
  }

  private sources(): Source[] {
    const { kind, className, controller, owns, watches } = this.model;
    const own: EventHandler = (event, enqueue, options) => {
      if (event.type === 'delete') this.reconciler.recordDeletion(event.object);
      enqueueObject(event, enqueue, options);
    };
    return [
      {
        name: kind.kind,
        className,
        informers: this.caches.informersFor(ownKindOf(this.model)),
        predicate: controller.predicate,
        handler: own,
      },
      ...owns.map((owned) => ({
        name: `@Owns(${owned.kind.kind})`,
        className,
        informers: this.caches.informersFor(owned.kind),
        predicate: owned.predicate ?? everything,
        handler: enqueueOwner(kind),
      })),
      ...watches.map((watched) => ({
        name: `@Watches(${watched.kind.kind})`,
        className,
        informers: this.caches.informersFor(watched.kind),
        predicate: watched.predicate ?? everything,
        handler: enqueueMapped(watched.mapper, this.caches, kind),
      })),
    ];
  }

  /** Logs a reminder at intervals and never gives up: a CRD may be installed at any time. */
  private async cachesSynced(signal: AbortSignal): Promise<void> {
    const remind = (): Cancel =>
      this.options.clock.schedule(this.model.controller.cacheSyncTimeoutMs, () => {
        const waiting = this.informers.filter(({ hasSynced }) => !hasSynced);
        this.log.warn('Still waiting for informer caches to sync', { kinds: waiting.map(({ kind }) => kind.kind) });
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

function subjectOf({ apiVersion = '', kind = '', metadata }: KubeObject) {
  const { name, namespace = '', uid = '' } = metadata;
  return { apiVersion, kind, name, namespace, uid };
}
