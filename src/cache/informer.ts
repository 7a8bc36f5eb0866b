import type { CacheIndex } from '../api/selection/cache-index.js';
import { resourceName, toKindRef, type KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import { formatSelector, type LabelSelector } from '../api/selection/label-selector.js';
import type { ChangeOf } from '../api/events/object-event.js';
import { objectKey } from '../api/objects/object-key.js';
import { selectorMatcher } from '../api/selection/part-of.js';
import { showsChange } from '../api/events/shows-change.js';
import type { Clock } from '../base/clock.js';
import { deepClone } from '../base/deep-clone.js';
import { deepFreeze } from '../base/deep-freeze.js';
import { silentLogger, type Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { safeLogger } from '../base/safe-logger.js';
import { SystemClock } from '../base/system-clock.js';
import { thrownError } from '../base/thrown-error.js';
import { watchedNamespace } from '../client/part-namespaces.js';
import { EventDispatcher, type EventHandler } from './event-dispatcher.js';
import { ConnectionStatus, type ErrorListener } from './connection-status.js';
import { ListedFields } from './listed-fields.js';
import type { ListWatcher, WatchScope } from './list-watcher.js';
import { Latch } from './latch.js';
import { Lister } from './lister.js';
import { Reflector } from './reflector.js';
import { Store } from './store.js';
import { VersionedStore } from './versioned-store.js';

/** Selects the objects of an informer, and sets its clock and log. */
export interface InformerOptions {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | LabelSelector;
  readonly fieldSelector?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Keep managedFields. Default false: they are often the larger part of an object and rarely read. */
  readonly keepManagedFields?: boolean;
  /** Freeze the cached objects, so that code which changes them throws a TypeError. Default false. */
  readonly freeze?: boolean;
}

/**
 * Caches the objects of one kind and scope, and calls handlers for each change.
 *
 * Flow: add handlers; `start`; `synced` resolves when all existing objects are in the lister and were passed to the
 * handlers as adds; then handlers are called for each change until `stop`. A stopped informer cannot be started again.
 * A handler that is added later receives an add for each cached object.
 *
 * Guarantees:
 * - The lister is up to date before handlers are called. Handlers are called one at a time, in order.
 * - Each object has one add, then updates, each newer than the last, then one delete; a replaced one a delete and an add.
 *   After a lost connection, intermediate states may be missing. Deletions have the last known state.
 * - While disconnected the cached objects stay, and the connection is retried without limit.
 *
 * Errors: never thrown. `lastError` is the reason of a lost connection. Each new error is logged or passed to the listeners
 * of `onError`, one that lasts every five minutes. Errors of handlers are logged.
 */
export class Informer<T extends KubeObject = KubeObject> {
  readonly kind: KindRef<T>;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly lister: Lister<T>;
  /** @internal */
  readonly listedFields: ListedFields;
  private readonly store = new Store<T>();
  private readonly versions: VersionedStore<T>;
  private readonly dispatcher: EventDispatcher<T>;
  private readonly status: ConnectionStatus;
  private readonly reflector: Reflector<T>;
  private readonly matches: (object: KubeObject) => boolean | undefined;
  private readonly abort = new AbortController();
  private readonly initialList = new Latch();
  private running: Promise<void> | undefined;

  constructor(
    client: ListWatcher,
    kind: KindRef<T>,
    private readonly options: InformerOptions = {},
  ) {
    const { clock = new SystemClock(), keepManagedFields = false } = options;
    this.kind = toKindRef(kind);
    this.namespace = this.kind.scope === 'Cluster' ? undefined : watchedNamespace(this.kind, options.namespace);
    const logger = safeLogger(options.logger ?? silentLogger).child({
      resource: resourceName(this.kind),
      ...(this.namespace !== undefined && { watchedNamespace: this.namespace }),
    });
    this.lister = new Lister([this.store], this.kind);
    this.listedFields = new ListedFields(client);
    this.dispatcher = new EventDispatcher(logger, clock);
    this.status = new ConnectionStatus(logger, clock);
    this.versions = new VersionedStore(this.store, {
      changed: (events) => {
        if (!this.store.hasAllIndexes) this.dispatcher.runSteps(this.store.buildIndexes());
        this.dispatcher.dispatch(this.prepared(events));
      },
      replaced: () => {
        this.dispatcher.dispatch([], () => {
          this.initialList.open();
        });
      },
    });
    const scope = scopeOf(this.namespace, options);
    this.matches = selectorMatcher(scope.labelSelector, scope.fieldSelector);
    const { kind: kindRef, status } = this;
    this.reflector = new Reflector(this.listedFields, this.versions, {
      kind: kindRef,
      scope,
      clock,
      status,
      keepManagedFields,
    });
  }

  /** Starts to list and watch. */
  start(): void {
    if (this.abort.signal.aborted) return;
    this.running ??= this.reflector.run(this.abort.signal);
  }

  /** Ends the watch; resolves after the last call of a handler. The lister keeps its objects. */
  async stop(): Promise<void> {
    const error = new OperatorError(`the informer of ${resourceName(this.kind)} is stopped`, { code: 'E_STOPPED' });
    this.abort.abort(error);
    this.initialList.fail(error);
    await this.running;
    this.dispatcher.close();
  }

  /** True once all initial objects are cached and were passed to the handlers; never becomes false again. */
  get hasSynced(): boolean {
    return this.initialList.isOpen;
  }

  /** Resolves once `hasSynced`; rejects when the informer is stopped before, or with the signal's reason. */
  synced(signal?: AbortSignal): Promise<void> {
    return this.initialList.wait(signal);
  }

  /** The latest resource version of the cache; empty before the first list. */
  get lastSyncResourceVersion(): string {
    return this.versions.resourceVersion;
  }

  /** The resource version of the last list that replaced the cache after the first one; empty before it. */
  get relistedVersion(): string {
    return this.versions.relistedVersion;
  }

  /** The milliseconds since the last list or event of the watch, bookmarks included; undefined before the first list. */
  get msSinceLastEvent(): number | undefined {
    return this.reflector.msSinceLastEvent;
  }

  /** Lists all objects again and passes every difference to the handlers. Without effect while disconnected. */
  relist(): void {
    this.reflector.relist();
  }

  /** The reason why the connection failed; undefined while connected. */
  get lastError(): Error | undefined {
    return this.status.lastError;
  }

  /** Calls the listener for each new error instead of logging it. Returns an unsubscribe function. */
  onError(listener: ErrorListener): () => void {
    return this.status.onError(listener);
  }

  /**
   * True while the API server does not serve the kind, for example because its CRD was deleted; the cached objects stay.
   *
   * @internal
   */
  get isUnserved(): boolean {
    return this.status.isUnserved;
  }

  /**
   * Calls the listener when `isUnserved` has changed, after the list that follows. Returns an unsubscribe function.
   *
   * @internal
   */
  onServedChange(listener: () => void): () => void {
    return this.status.onServedChange(listener);
  }

  /**
   * Calls the listener each time a watch fails or ends early. Returns an unsubscribe function.
   *
   * @internal
   */
  onInterrupted(listener: () => void): () => void {
    return this.status.onInterrupted(listener);
  }

  /** Adds a handler and returns a function that removes it. Handlers block the watch, so they must be fast. */
  addEventHandler(handler: EventHandler<T>): () => void {
    return this.dispatcher.add(handler, this.store.values());
  }

  /**
   * Adds an index before the first use of it: those added before `start` are built before `synced` resolves. Returns a
   * function that drops it; a later read builds it again.
   *
   * @internal
   */
  addIndex(index: CacheIndex): () => void {
    this.store.declareIndex({ id: index, valuesOf: index.valuesOf });
    this.dispatcher.runSteps(this.store.buildIndexes());
    return () => {
      this.store.dropIndex(index);
    };
  }

  /** Passes each cached object to a handler as an add, between the events that the other handlers receive. */
  replay(handler: EventHandler<T>): void {
    this.dispatcher.replay(handler, this.store.values());
  }

  /**
   * Applies the response to an own write, so that reads show it before its event arrives.
   *
   * Handlers are called as for the event, which is dropped as a duplicate when it arrives. A response is ignored if a
   * later event was already received, or if it is out of scope. If the selectors do not match it, the object is removed.
   * If only the server can evaluate a field selector, an object that is not cached yet appears with its event.
   *
   * Never throws, because the write has succeeded: an error of a transform becomes `lastError`, as for the event.
   */
  observe(object: T): void {
    const { kind } = object;
    const isOurs = kind === undefined || kind === this.kind.kind;
    if (!isOurs || !this.isInScope(object)) return;
    const isSelected = this.isSelected(object);
    if (isSelected === false) this.versions.observeDeselected(object);
    else if (isSelected === true || this.store.get(objectKey(object))) this.observeSelected(object);
  }

  private observeSelected(object: T): void {
    let cached: T;
    try {
      cached = this.asCached(object);
    } catch (error) {
      this.status.failed(`cannot cache a written object of ${resourceName(this.kind)}`, thrownError(error));
      return;
    }
    this.versions.observe(cached);
  }

  /**
   * Removes an object that an own write has deleted, so that reads no longer show it before its event arrives.
   *
   * Only its name, namespace and uid matter. Handlers are called as the event would have done; late events of the same
   * uid are dropped. Ignored unless the informer holds that very object.
   */
  observeDeletion(deleted: ReadonlyDeep<KubeObject>): void {
    if (this.isInScope(deleted)) this.versions.observeDeletion(deleted);
  }

  /** Returns the events that concern the part, one at a time, so that a long list is not prepared as a whole. */
  private *prepared(events: readonly ChangeOf<T>[]): Iterable<ChangeOf<T>> {
    const { part } = this.kind;
    const isShown = part?.reduce ? showsChange(part) : () => true;
    for (const event of events) {
      if (this.options.freeze === true) deepFreeze(event.object);
      if (isShown(event)) yield event;
    }
  }

  /** Undefined if only the server knows. */
  private isSelected(object: T): boolean | undefined {
    const isOfPart = this.kind.part?.matches(object) ?? (this.kind.part ? undefined : true);
    const isOfScope = this.matches(object);
    return isOfPart === false || isOfScope === false ? false : isOfPart && isOfScope;
  }

  /** Returns the object in the form of the watch, without changing the caller's object. */
  private asCached(object: T): T {
    const whole = this.options.keepManagedFields ? object : withoutManagedFields(object);
    const reduce = this.kind.part?.reduce;
    // A copy, because a transform may change the object, which is also the result of the write.
    return reduce ? (reduce(deepClone(whole)) as T) : whole;
  }

  private isInScope({ metadata }: ReadonlyDeep<KubeObject>): boolean {
    return this.namespace === undefined || metadata.namespace === this.namespace;
  }
}

function scopeOf(namespace: string | undefined, { labelSelector, fieldSelector }: InformerOptions): WatchScope {
  const labels = typeof labelSelector === 'object' ? formatSelector(labelSelector) : labelSelector;
  return {
    ...(namespace !== undefined && { namespace }),
    ...(labels !== undefined && { labelSelector: labels }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
}

function withoutManagedFields<T extends KubeObject>(object: T): T {
  return { ...object, metadata: { ...object.metadata, managedFields: undefined } };
}
