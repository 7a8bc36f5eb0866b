import { objectKey, splitKey, type ObjectKey } from '../api/object-key.js';
import type { Predicate } from '../api/predicate.js';
import type { Cancel } from '../base/clock.js';
import type { Informer } from '../cache/informer.js';
import { FairOrder } from '../queue/fair-order.js';
import type { QueueSnapshot } from '../queue/queue-snapshot.js';
import type { AddOptions } from '../queue/queue.js';
import { RateLimitingQueue } from '../queue/rate-limiting-queue.js';
import type { ResourceModel } from '../resource/model.js';
import { createControllerParts, type ControllerParts, type KindControllerOptions } from './controller-parts.js';
import { enqueueObject, type EnqueueHandler } from './sources/event-handler.js';
import { relatedSources } from './sources/related-sources.js';
import { replaySource, startSource, type Source } from './sources/source.js';
import { TriggerRecorder } from './triggers/trigger-recorder.js';
import { Triggers } from './triggers/triggers.js';
import { WatchedNamespaces } from './sources/watched-namespaces.js';
import { Workers } from './workers.js';

/**
 * The control loop of one annotated class.
 *
 * Flow: events of the own kind, of owned and of watched kinds are turned into keys of objects; a queue holds each key
 * once; workers take keys and reconcile the objects.
 * Order: `start` when this process may reconcile, then `stop`. A stopped controller cannot be started again.
 * Guarantees: no reconcile runs before the caches of its namespace have synced; one object is never reconciled twice at a time; up to
 * `maxConcurrentReconciles` objects are reconciled at the same time; events of an object that is being reconciled lead
 * to one more reconcile of it.
 * Errors: a failed reconcile is retried with back-off and never stops the controller.
 */
export class KindController {
  readonly name: string;
  readonly triggers: Triggers;
  private readonly parts: ControllerParts;
  private readonly queue: RateLimitingQueue;
  private readonly workers: Workers;
  private readonly namespaces: WatchedNamespaces;
  private readonly disconnect: (() => void)[] = [];
  private isFollowing = false;
  private hasSynced = false;

  constructor(
    readonly model: ResourceModel,
    private readonly options: KindControllerOptions,
  ) {
    const { clock, metrics, provided, probe, member } = options;
    const { name, baseDelayMs, maxDelayMs, maxConcurrentReconciles, reconcileTimeoutMs } = model.controller;
    this.name = name;
    this.parts = createControllerParts(model, options, this.enqueue);
    const { log, caches, optionalKinds, reconciler, due, recorder, hintFor } = this.parts;
    this.namespaces = new WatchedNamespaces({
      own: caches.informersFor(model.kind),
      informers: caches.informers,
      isOptional: (informer) => optionalKinds.informers.includes(informer),
      log,
      onReadable: (namespace) => {
        this.gained((key) => splitKey(key).namespace === namespace);
      },
    });
    this.queue = new RateLimitingQueue({
      name,
      clock,
      order: new FairOrder(),
      baseDelayMs,
      maxDelayMs,
      metrics: metrics?.queue,
      isMeasured: options.isInspected,
    });
    this.triggers = new Triggers(model, {
      clock,
      logger: log,
      enqueue: this.enqueue,
      caches,
      provided,
      due,
      mayStartTasks: () => this.hasSynced && options.gate?.isOpen !== false,
      callDaemon: (request, method, task) => reconciler.runDaemon(request, method, task),
      metrics: metrics?.triggers,
      recorder: new TriggerRecorder({ controller: name, cluster: member?.name, probe, clock, logger: log }),
    });
    this.workers = new Workers({
      queue: this.queue,
      gate: {
        get isOpen() {
          return options.gate?.isOpen !== false;
        },
        owns: this.owns,
      },
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
    return this.parts.optionalKinds.requiredInformers;
  }

  /** The informers of optional kinds, and those of `ctx.watch`, which come and go while the controller runs. */
  get watchedInformers(): readonly Informer[] {
    return [...this.parts.optionalKinds.informers, ...this.parts.watches.informers];
  }

  /** The informers of required kinds that the start waits for and that have not synced. */
  get waitingInformers(): readonly Informer[] {
    const { requiredInformers } = this.parts.optionalKinds;
    return this.namespaces.waiting.filter((informer) => requiredInformers.includes(informer));
  }

  /** Resolves when the caches that the start waits for have synced; rejects with the reason of the signal. */
  synced(signal: AbortSignal): Promise<void> {
    return this.namespaces.synced(signal);
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
    this.namespaces.leaveOutUnreadable();
    this.triggers.retain(this.owns);
    this.hasSynced = true;
    if (this.model.daemons.length > 0) this.startTriggers(this.owns);
    const workerCount = this.model.controller.maxConcurrentReconciles;
    this.parts.log.info('Starting workers', { workerCount });
    this.workers.start();
    this.triggers.startSources();
    this.parts.log.info('Started workers', { workerCount });
  }

  /** Stops following events and taking keys; resolves when the running reconciles have ended. */
  async stop(): Promise<void> {
    this.parts.log.info('Shutting down workers');
    const triggersStopped = this.triggers.stop(new Error('the controller is stopping'));
    this.parts.recorder?.stop();
    for (const disconnect of this.disconnect.splice(0)) disconnect();
    await Promise.all([this.workers.stop(), triggersStopped]);
    this.namespaces.close();
    this.parts.watches.close();
    this.parts.ownerCheck.close();
  }

  /** Aborts the signal of every running reconcile and of every task. */
  abort(reason: Error): void {
    this.workers.abort(reason);
    this.triggers.abortTasks(reason);
  }

  /** Continues after `abort`, when the gate has opened again for the same objects. None is reconciled because of it. */
  resumed(): void {
    if (this.model.daemons.length > 0) this.startTriggers(this.owns);
    this.workers.resume();
  }

  /**
   * Reconciles the existing objects with these keys and starts their triggers, after the gate has changed.
   *
   * There may be many, so they are added in several turns of the event loop. Changed objects are reconciled first.
   */
  gained(isGained: (key: ObjectKey) => boolean): void {
    if (!this.isFollowing) return; // the start replays all objects
    const accepts = (key: ObjectKey): boolean => isGained(key) && this.owns(key); // it may be lost again by then
    this.startTriggers(accepts);
    replaySource(this.ownSource(), (object) => accepts(objectKey(object)), this.enqueue, this.parts.log);
    this.workers.resume();
  }

  /** Stops the triggers of objects that the gate no longer has. Their keys are dropped from the queue when it is their turn. */
  lost(): void {
    this.triggers.retain(this.owns);
    this.parts.reconciler.retainDeletions(this.owns);
    this.parts.watches.retain((key) => this.owns(key) || this.runningKeys.includes(key));
  }

  /** Returns false if this process does not reconcile the object. */
  reconcileNow(key: ObjectKey, source: string): boolean {
    if (!this.isFollowing || !this.owns(key)) return false;
    this.queue.add(key, { cause: { type: 'trigger', source } });
    return true;
  }

  /** The objects that are being worked on. */
  get busyKeys(): readonly ObjectKey[] {
    return [...this.workers.runningKeys, ...this.triggers.busyKeys];
  }

  /** The number of cached objects that this process reconciles. */
  get ownedObjects(): number {
    let count = 0;
    for (const { lister } of this.parts.caches.informersFor(this.model.kind))
      for (const object of lister.values()) if (this.owns(objectKey(object))) count++;
    return count;
  }

  /** Returns the keys of the queue, at most `limit` of each state. */
  queueSnapshot(limit: number): QueueSnapshot {
    return this.queue.snapshot(limit);
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
    this.isFollowing = true;
    const { kind } = this.model;
    for (const informer of this.parts.caches.informersFor(kind)) {
      this.disconnect.push(
        informer.addEventHandler((event) => {
          const key = objectKey(event.object);
          if (this.owns(key)) this.triggers.follow(event);
          // A predicate may keep the deletion from the queue. The end of a running reconcile drops what it needs.
          if (event.type === 'delete' && !this.runningKeys.includes(key)) this.parts.watches.drop(key);
        }),
      );
    }
    this.disconnect.push(
      this.parts.optionalKinds.follow((kind) => {
        this.replay(`@Dependent(${kind.kind})`);
      }),
    );
    const { caches, creator, log } = this.parts;
    for (const source of [this.ownSource(), ...relatedSources(this.model, caches, creator.ownerVersion, log)])
      this.disconnect.push(...startSource(source, this.enqueue, log));
    for (const informer of this.parts.caches.informers) {
      this.disconnect.push(
        informer.addEventHandler(({ type, object: { metadata } }) => {
          if (type === 'delete') this.parts.applier.forget(informer.kind, metadata.name, metadata.namespace);
        }),
      );
    }
  }

  /** Reconciles all objects; `name` is the source of the cause. */
  private replay(name: string): void {
    const everyObject = { ...this.ownSource(), name, predicate: everything };
    replaySource(everyObject, (object) => this.owns(objectKey(object)), this.enqueue, this.parts.log);
  }

  private startTriggers(accepts: (key: ObjectKey) => boolean): void {
    if (!this.isFollowing) return; // the start does it for all objects
    for (const informer of this.parts.caches.informersFor(this.model.kind))
      informer.replay((event) => {
        if (accepts(objectKey(event.object))) this.triggers.follow(event);
      });
  }

  private readonly owns = (key: ObjectKey): boolean =>
    this.options.gate?.owns(key) !== false && !this.namespaces.isLeftOut(key);

  private readonly enqueue = (key: ObjectKey, options: AddOptions): void => {
    if (this.owns(key)) this.queue.add(key, options);
  };

  /** The reconciled objects themselves. */
  private ownSource(): Source {
    const { kind, className, controller } = this.model;
    const handler: EnqueueHandler = (event, enqueue, options) => {
      if (event.type === 'delete' && this.owns(objectKey(event.object))) {
        this.parts.reconciler.recordDeletion(event.object);
      }
      return enqueueObject(event, enqueue, options);
    };
    const informers = this.parts.caches.informersFor(this.model.ownKind);
    const predicate: Predicate = (event) => this.parts.finalizers.isNeededBy(event) || controller.predicate(event);
    return { name: kind.kind, className, informers, predicate, handler };
  }

  /** Logs a reminder at intervals and never gives up: a CRD may be installed at any time. */
  private async cachesSynced(signal: AbortSignal): Promise<void> {
    const remind = (): Cancel =>
      this.options.clock.schedule(this.model.controller.cacheSyncTimeoutMs, () => {
        const kinds = new Set(this.namespaces.waiting.map(({ kind }) => kind.kind));
        this.parts.log.warn('Still waiting for informer caches to sync', { kinds: [...kinds] });
        cancel = remind();
      });
    let cancel = remind();
    try {
      await this.synced(signal);
    } finally {
      cancel();
    }
  }
}

const everything = (): boolean => true;
