import { objectKey, splitKey, type ObjectKey } from '../api/objects/object-key.js';
import type { Cancel } from '../base/clock.js';
import type { Informer } from '../cache/informer.js';
import { FairOrder } from '../queue/fair-order.js';
import type { QueueSnapshot } from '../queue/queue-snapshot.js';
import type { AddOptions } from '../queue/queue.js';
import { RateLimitingQueue } from '../queue/rate-limiting-queue.js';
import type { ResourceModel } from '../resource/model.js';
import type { FindingRule } from './controller-metrics.js';
import { createClassParts, type ClassParts } from './controller-parts.js';
import type { KindControllerOptions } from './kind-controller-options.js';
import { createLastingParts, type LastingParts } from './lasting-parts.js';
import { hasSameAccess } from './object-access.js';
import { ClassSources } from './class-sources.js';
import { WatchedNamespaces } from './sources/watched-namespaces.js';
import { ClassTriggers } from './class-triggers.js';
import type { TriggerMetrics } from './triggers/trigger-metrics.js';
import type { Triggers } from './triggers/triggers.js';
import type { Stepping } from './stepping.js';
import { Workers } from './workers.js';

/** The other version of a class. */
export interface Replacement {
  readonly model: ResourceModel;
  readonly triggerMetrics?: TriggerMetrics | undefined;
  /** Ends the waiting for the caches of kinds that only the new version watches. */
  readonly signal: AbortSignal;
}

/**
 * The control loop of one annotated class.
 *
 * Flow: events of the own kind, of owned and of watched kinds are turned into keys of objects; a queue holds each key
 * once; workers take keys and reconcile the objects.
 * Order: `start` when this process may reconcile, then `stop`. A stopped controller cannot be started again.
 * Guarantees: no reconcile runs before the caches of its namespace have synced; one object is never reconciled twice at a time; up to
 * `maxConcurrentReconciles` objects are reconciled at the same time; events of an object that is being reconciled lead
 * to one more reconcile of it.
 * A class can be replaced by another version of it: its informers, queue and delays stay, and running reconciles end with the
 * earlier version.
 * Errors: a failed reconcile is retried with back-off and never stops the controller.
 */
export class KindController {
  readonly name: string;
  private readonly lasting: LastingParts;
  private current: ClassParts;
  private namespaces: WatchedNamespaces;
  private readonly sources: ClassSources;
  private readonly queue: RateLimitingQueue;
  private readonly workers: Workers;
  private readonly classTriggers: ClassTriggers;
  private isFollowing = false;
  private hasSynced = false;

  constructor(
    model: ResourceModel,
    private readonly options: KindControllerOptions,
  ) {
    const { clock, metrics } = options;
    const { name, baseDelayMs, maxDelayMs, delayFactor, delayJitter } = model.controller;
    this.name = name;
    this.lasting = createLastingParts(model, options, this.enqueue, () => this.current);
    const { log, watches } = this.lasting;
    this.current = createClassParts(model, options, this.lasting);
    this.namespaces = this.watchNamespaces(this.current);
    this.queue = new RateLimitingQueue({
      name,
      clock,
      order: new FairOrder(),
      ...{ baseDelayMs, maxDelayMs, delayFactor, delayJitter },
      metrics: metrics?.queue,
      isMeasured: options.isInspected,
    });
    const current = (): ClassParts => this.current;
    this.classTriggers = new ClassTriggers({
      ...{ controller: options, lasting: this.lasting, enqueue: this.enqueue, current },
      mayStartTasks: () => this.hasSynced && options.gate?.isOpen !== false,
      onStarted: () => {
        this.startTriggers(this.owns);
      },
    });
    this.workers = this.createWorkers(model);
    this.sources = new ClassSources({
      ...{ current, watches, log, enqueue: this.enqueue, owns: this.owns },
      triggers: () => this.triggers,
      isRunning: (key) => this.runningKeys.includes(key),
    });
  }

  get model(): ResourceModel {
    return this.current.model;
  }

  get triggers(): Triggers {
    return this.classTriggers.present;
  }

  /** The informers that must have synced before the first reconcile. */
  get informers(): readonly Informer[] {
    return this.current.optionalKinds.requiredInformers;
  }

  /** The informers of optional kinds, and those of `ctx.watch`, which come and go while the controller runs. */
  get watchedInformers(): readonly Informer[] {
    return [...this.current.optionalKinds.informers, ...this.lasting.watches.informers];
  }

  /** The informers of required kinds that the start waits for and that have not synced. */
  get waitingInformers(): readonly Informer[] {
    const { requiredInformers } = this.current.optionalKinds;
    return this.namespaces.waiting.filter((informer) => requiredInformers.includes(informer));
  }

  /** Resolves when the caches that the start waits for have synced; rejects with the reason of the signal. */
  async synced(signal: AbortSignal): Promise<void> {
    for (;;) {
      const { namespaces } = this;
      try {
        await namespaces.synced(signal);
      } catch (error) {
        if (this.namespaces === namespaces) throw error;
      }
      if (this.namespaces === namespaces) return; // otherwise the class was replaced meanwhile
    }
  }

  /**
   * Begins to follow events; resolves when the caches have synced and the workers have started.
   *
   * Call it once, when this process may reconcile. Rejects with the reason of an abort.
   */
  async start(signal: AbortSignal): Promise<void> {
    this.follow();
    this.lasting.log.info(`Starting ${this.model.className} controller`);
    this.lasting.log.info('Waiting for informer caches to sync');
    await this.cachesSynced(signal);
    this.namespaces.leaveOutUnreadable();
    this.triggers.retain(this.owns);
    this.hasSynced = true;
    if (this.model.daemons.length > 0) this.startTriggers(this.owns);
    const workerCount = this.model.controller.maxConcurrentReconciles;
    this.lasting.log.info('Starting workers', { workerCount });
    this.workers.start();
    this.classTriggers.startSources();
    this.lasting.log.info('Started workers', { workerCount });
  }

  /** Stops following events and taking keys; resolves when the running reconciles have ended. */
  async stop(): Promise<void> {
    this.lasting.log.info('Shutting down workers');
    const triggersStopped = this.classTriggers.stop(new Error('the controller is stopping'));
    this.lasting.loops?.stop();
    this.sources.disconnect();
    await Promise.all([this.workers.stop(), triggersStopped]);
    this.namespaces.close();
    this.lasting.watches.close();
    this.current.access.ownerCheck.close();
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
    this.sources.replay(accepts);
    this.workers.resume();
  }

  /** Stops the triggers of objects that the gate no longer has. Their keys are dropped from the queue when it is their turn. */
  lost(): void {
    this.triggers.retain(this.owns);
    this.current.reconciler.retainDeletions(this.owns);
    this.current.pauses.retain(this.owns);
    this.lasting.watches.retain((key) => this.owns(key) || this.runningKeys.includes(key));
  }

  /** Returns false if this process does not reconcile the object. */
  reconcileNow(key: ObjectKey, source: string): boolean {
    if (!this.isFollowing || !this.owns(key)) return false;
    this.queue.add(key, { cause: { type: 'trigger', source } });
    return true;
  }

  /**
   * Counts a problem that an observer has found, and records an Event if it is about one object. The caller limits how often
   * the same problem is reported.
   */
  reportFinding(
    rule: FindingRule,
    { key, message }: { readonly key?: ObjectKey | undefined; readonly message: string },
  ): void {
    this.options.metrics?.controller.finding(rule);
    if (key !== undefined) this.current.warnAbout(key, eventReason(rule), message);
  }

  /** Pauses the reconciles, for a user. */
  get stepping(): Stepping {
    return this.workers.stepping;
  }

  /** The objects that are being worked on. */
  get busyKeys(): readonly ObjectKey[] {
    return [...this.workers.runningKeys, ...this.triggers.busyKeys];
  }

  /** The number of cached objects that this process reconciles. */
  get ownedObjects(): number {
    let count = 0;
    for (const { lister } of this.current.access.caches.informersFor(this.model.kind))
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
   * Follows the namespaces that the informers have now. Objects of one that has joined are reconciled when its caches have
   * synced, those of one that has left no more; running reconciles end.
   */
  renewNamespaces(): void {
    const { access, model } = this.current;
    access.renew();
    this.lasting.watches.renew();
    this.namespaces.close();
    this.current = createClassParts(model, this.options, this.lasting, access);
    this.namespaces = this.watchNamespaces(this.current);
    if (this.hasSynced) this.namespaces.leaveOutUnsynced();
    if (!this.isFollowing) return;
    this.sources.connect();
    this.lost();
  }

  /**
   * Uses another version of the class from the next reconcile on; all objects are reconciled with it. Resolves when it is in
   * use. The informers that only the earlier version has used stop when the reconciles that run with it have ended.
   *
   * The caches of kinds that only the new version watches are filled before. Rejects with the reason of the signal; then the
   * earlier version stays. Must not be called again before the promise has settled.
   */
  async replace({ model, triggerMetrics, signal }: Replacement): Promise<void> {
    const { current: former, namespaces: formerNamespaces } = this;
    const isSame = hasSameAccess(former.model, model);
    const next = createClassParts(model, this.options, this.lasting, isSame ? former.access : undefined);
    const namespaces = isSame ? formerNamespaces : this.watchNamespaces(next);
    try {
      if (this.hasSynced) await namespaces.synced(signal);
    } catch (error) {
      if (!isSame) {
        namespaces.close();
        await next.access.release();
      }
      throw error;
    }
    this.current = next;
    this.namespaces = namespaces;
    this.queue.setDelays(model.controller);
    this.classTriggers.replace(former.model, triggerMetrics);
    if (!isSame) {
      const ended = this.workers.settled();
      formerNamespaces.close();
      if (this.hasSynced) namespaces.leaveOutUnreadable();
      void ended.then(() => former.access.release());
    }
    if (this.isFollowing) {
      const cause = { type: 'trigger', source: `new code of ${model.className}` } as const;
      this.sources.connect(this.sources.withInitialCause(cause));
      this.sources.replayAll(cause);
    }
    this.workers.configure(model.controller);
  }

  /**
   * Connects the queue to the informers, which replay the objects they hold.
   *
   * Not done earlier: while another replica leads, nothing would take keys and deleted objects from the queue, and a
   * takeover would call `deleted()` for objects that the other replica has already handled.
   */
  private follow(): void {
    this.lasting.log.info('Setting up event handlers');
    this.isFollowing = true;
    this.sources.connect();
  }

  private createWorkers({ controller }: ResourceModel): Workers {
    const { maxConcurrentReconciles, maxAttempts, reconcileTimeoutMs, rateLimit } = controller;
    const { clock, metrics, gate } = this.options;
    const { log, recorder, loops } = this.lasting;
    return new Workers({
      queue: this.queue,
      gate: {
        get isOpen() {
          return gate?.isOpen !== false;
        },
        owns: this.owns,
      },
      reconcile: (request) => this.current.reconciler.reconcile(request),
      onTimeout: (request, error) => void this.current.reconciler.timedOut(request, error),
      maxConcurrentReconciles,
      ...{ maxAttempts, rateLimit },
      reconcileTimeoutMs,
      clock,
      logger: log,
      metrics: metrics?.controller,
      recorder,
      loops,
      hintFor: (error) => this.current.hintFor(error),
    });
  }

  private watchNamespaces(parts: ClassParts): WatchedNamespaces {
    const { caches } = parts.access;
    return new WatchedNamespaces({
      own: caches.informersFor(parts.model.kind),
      informers: caches.informers,
      isOptional: (informer) => {
        const { optionalKinds } = this.current.access === parts.access ? this.current : parts;
        return optionalKinds.informers.includes(informer);
      },
      log: this.lasting.log,
      isSelection: this.options.selectsNamespaces,
      onReadable: (namespace) => {
        this.gained((key) => splitKey(key).namespace === namespace);
      },
    });
  }

  private startTriggers(accepts: (key: ObjectKey) => boolean): void {
    if (!this.isFollowing) return; // the start does it for all objects
    for (const informer of this.current.access.caches.informersFor(this.model.kind))
      informer.replay((event) => {
        if (accepts(objectKey(event.object))) this.triggers.follow(event);
      });
  }

  private readonly owns = (key: ObjectKey): boolean =>
    this.options.gate?.owns(key) !== false && !this.namespaces.isLeftOut(key);

  private readonly enqueue = (key: ObjectKey, options: AddOptions): void => {
    if (!this.owns(key)) return;
    const { debounceMs = 0 } = this.model.controller;
    // The initial list, timers and requests of other parts do not come in bursts.
    if (debounceMs > 0 && options.cause?.type === 'event') this.queue.addAfter(key, debounceMs, options);
    else this.queue.add(key, options);
  };

  /** Logs a reminder at intervals and never gives up: a CRD may be installed at any time. */
  private async cachesSynced(signal: AbortSignal): Promise<void> {
    const remind = (): Cancel =>
      this.options.clock.schedule(this.model.controller.cacheSyncTimeoutMs, () => {
        const kinds = new Set(this.namespaces.waiting.map(({ kind }) => kind.kind));
        this.lasting.log.warn('Still waiting for informer caches to sync', { kinds: [...kinds] });
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

/** The rule in the form of reasons: `SameError` for `same-error`. */
function eventReason(rule: FindingRule): string {
  return rule.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
}
