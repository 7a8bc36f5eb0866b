import { resourceName, toKindRef, type KindLike, type KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import { formatSelector, type LabelSelector } from '../api/label-selector.js';
import type { Clock } from '../base/clock.js';
import { deepFreeze } from '../base/deep-freeze.js';
import { silentLogger, type Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import { EventDispatcher, type EventHandler } from './event-dispatcher.js';
import { Health, type ErrorListener } from './health.js';
import type { ListWatcher, WatchScope } from './list-watcher.js';
import { Latch } from './latch.js';
import { Lister } from './lister.js';
import { Reflector } from './reflector.js';
import { Store } from './store.js';
import { VersionedStore } from './versioned-store.js';

export interface InformerOptions {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | LabelSelector;
  readonly fieldSelector?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Default false: they are often the larger part of an object, and nobody reads them. */
  readonly keepManagedFields?: boolean;
  /** Freeze the cached objects, so that code which changes them throws a TypeError. Default false. */
  readonly freeze?: boolean;
}

/**
 * Holds the objects of one kind and scope like the server's and tells handlers what changes.
 *
 * Flow: add handlers; `start`; `synced` resolves when all objects there were are in the lister and have been given to
 * the handlers as adds; then each change as it comes, until `stop`, after which it cannot be started again. A handler
 * may be added at any time: one that is late is given an add for each object present.
 *
 * Guarantees:
 * - The lister is up to date before handlers are called, which happens one after the other and in order.
 * - For each object an add comes first, then updates, each newer than the last; then, when it goes, a delete. An object
 *   replaced by another of its name is a delete and an add. What was missed while disconnected is made up for: states in
 *   between may be left out, and what vanished is deleted with its last known state.
 * - A lost connection is none of the handlers' concern: objects stay as last seen, and it is tried again for ever.
 *
 * Errors: none is thrown. `lastError` says why there is no connection; each new error is logged once, or given to the
 * listeners of `onError`. What a handler throws is logged.
 */
export class Informer<T extends KubeObject = KubeObject> {
  readonly kind: KindRef<T>;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly lister: Lister<T>;
  private readonly store = new Store<T>();
  private readonly versions: VersionedStore<T>;
  private readonly dispatcher: EventDispatcher<T>;
  private readonly health: Health;
  private readonly reflector: Reflector<T>;
  private readonly canObserve: boolean;
  private readonly abort = new AbortController();
  private readonly initialList = new Latch();
  private running: Promise<void> | undefined;

  constructor(
    client: ListWatcher,
    kind: KindLike<T>,
    private readonly options: InformerOptions = {},
  ) {
    const { clock = new SystemClock(), keepManagedFields = false } = options;
    this.kind = toKindRef(kind);
    this.namespace = this.kind.scope === 'Cluster' ? undefined : options.namespace;
    const logger = (options.logger ?? silentLogger).child({
      resource: resourceName(this.kind),
      ...(this.namespace !== undefined && { watchedNamespace: this.namespace }),
    });
    this.lister = new Lister([this.store]);
    this.dispatcher = new EventDispatcher(logger);
    this.health = new Health(logger);
    this.versions = new VersionedStore(this.store, {
      changed: (events) => {
        if (options.freeze === true) for (const { object } of events) deepFreeze(object);
        this.dispatcher.dispatch(events);
      },
      replaced: () => {
        this.initialList.open();
      },
    });
    this.canObserve = options.labelSelector === undefined && options.fieldSelector === undefined;
    const scope = scopeOf(this.namespace, options);
    const { kind: kindRef, health } = this;
    this.reflector = new Reflector(client, this.versions, { kind: kindRef, scope, clock, health, keepManagedFields });
  }

  /** Begins to list and watch. */
  start(): void {
    if (this.abort.signal.aborted) return;
    this.running ??= this.reflector.run(this.abort.signal);
  }

  /** Ends the watch; resolves when no handler will be called any more. The lister keeps what it has. */
  async stop(): Promise<void> {
    const error = new OperatorError(`the informer of ${resourceName(this.kind)} is stopped`, { code: 'E_STOPPED' });
    this.abort.abort(error);
    this.initialList.fail(error);
    await this.running;
  }

  /** Whether the initial objects are all there, and have been given to the handlers; once true it stays so. */
  get hasSynced(): boolean {
    return this.initialList.isOpen;
  }

  /** Resolves once `hasSynced`; rejects when the informer is stopped before, or with the signal's reason. */
  synced(signal?: AbortSignal): Promise<void> {
    return this.initialList.wait(signal);
  }

  /** How far the server's history has been followed; empty before the first list. */
  get lastSyncResourceVersion(): string {
    return this.versions.resourceVersion;
  }

  /** Why there is no connection; undefined while there is one. */
  get lastError(): Error | undefined {
    return this.health.lastError;
  }

  /** Calls the listener for each new error, in place of a log line. Returns how to end that. */
  onError(listener: ErrorListener): () => void {
    return this.health.onError(listener);
  }

  /** Returns how to remove the handler. It is called from within the reading of the watch: be brief, and do not wait. */
  addEventHandler(handler: EventHandler<T>): () => void {
    return this.dispatcher.add(handler, this.store.values());
  }

  /**
   * Takes in the server's answer to an own write, so that reads show it before its event arrives.
   *
   * Handlers are called as the event would have done; the event, when it comes, is dropped as a duplicate. An answer
   * whose event has passed is ignored, as is one out of scope. An informer with a selector ignores them all: whether
   * the object still belongs is for the server to say.
   */
  observe(object: T): void {
    const { kind } = object;
    const isOurs = kind === undefined || kind === this.kind.kind;
    if (!this.canObserve || !isOurs || !this.isInScope(object)) return;
    this.versions.observe(this.options.keepManagedFields ? object : withoutManagedFields(object));
  }

  /**
   * Removes an object that an own write has deleted, so that reads no longer show it before its event arrives.
   *
   * Only its name, namespace and uid matter. Handlers are called as the event would have done; late events of the same
   * uid are dropped. Ignored unless the informer holds that very object.
   */
  observeDeletion(deleted: KubeObject): void {
    if (this.isInScope(deleted)) this.versions.observeDeletion(deleted);
  }

  private isInScope({ metadata }: KubeObject): boolean {
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

/** As the watch delivers it; the caller's own object is left alone. */
function withoutManagedFields<T extends KubeObject>(object: T): T {
  return { ...object, metadata: { ...object.metadata, managedFields: undefined } };
}
