import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { ObjectEvent } from '../../api/events/object-event.js';
import { objectKey, keyOf, type ObjectKey } from '../../api/objects/object-key.js';
import type { Logger } from '../../base/logger.js';
import type { InformerScope } from '../../cache/informer-factory.js';
import type { Informer } from '../../cache/informer.js';
import type { Lister } from '../../cache/lister.js';
import { NotFoundError } from '../../client/api-error.js';
import type { AddOptions } from '../../queue/queue.js';
import type { Enqueue, EnqueueHandler, KeySteps } from '../sources/event-handler.js';
import { startSource } from '../sources/source.js';

/** One object, the objects of a namespace, or all objects of a watch, as a string: see `targetOf`. */
type Target = string;

/** The name and the namespace of watched objects, without defaults. */
export interface TargetNames {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

export interface OnDemandWatchOptions {
  readonly informers: InformerScope;
  readonly enqueue: Enqueue;
  readonly logger: Logger;
  readonly className: string;
  /** Called when an object of the watch is deleted. */
  readonly onDelete: (kind: KindRef, object: ReadonlyDeep<KubeObject>) => void;
}

const EVERYTHING: Target = '*';

/** Returns the string that a watch knows the target by. */
export function targetOf({ name, namespace }: TargetNames): Target {
  if (name !== undefined) return `object ${keyOf(name, namespace)}`;
  return namespace === undefined ? EVERYTHING : `namespace ${namespace}`;
}

/**
 * The watch of a kind, or of a part of one, that some objects of a controller need.
 *
 * Guarantees: an event leads to a reconcile of the objects that need its object. Objects of the first list do not, because
 * the reconcile that began the watch waits for them; an object whose reconcile could not wait is reconciled after the
 * list. All objects that need the kind are reconciled when the server no longer serves it.
 */
export class OnDemandWatch {
  /** The informers of the present namespaces. */
  informers: readonly Informer[];
  private lister: Lister;
  private readonly needing = new Map<Target, Set<ObjectKey>>();
  private readonly targetCounts = new Map<ObjectKey, number>();
  /** Objects that were reconciled before the caches had synced. */
  private readonly waiting = new Set<ObjectKey>();
  private readonly disconnect: (() => void)[] = [];
  private readonly source: string;

  constructor(
    readonly kind: KindRef,
    private readonly options: OnDemandWatchOptions,
  ) {
    this.source = `ctx.watch(${kind.kind})`;
    this.informers = options.informers.informersFor(kind);
    this.lister = options.informers.lister(kind);
    this.connect();
  }

  /** Uses the informers of the present namespaces, after these have changed. */
  renew(): void {
    const { kind, options } = this;
    for (const disconnect of this.disconnect.splice(0)) disconnect();
    this.informers = options.informers.informersFor(kind);
    this.lister = options.informers.lister(kind);
    this.connect();
  }

  private connect(): void {
    const { kind } = this;
    const { enqueue, logger, className, onDelete } = this.options;
    const source = {
      ...{ name: this.source, className, informers: this.informers },
      predicate: (event: ObjectEvent) => event.type !== 'add' || !event.isInitial,
      handler: (...event: Parameters<EnqueueHandler>) => this.enqueueNeeding(...event),
    };
    this.disconnect.push(...startSource(source, enqueue, logger));
    for (const informer of this.informers) {
      this.disconnect.push(
        informer.addEventHandler(({ type, object }) => {
          if (type === 'delete') onDelete(kind, object);
        }),
      );
      this.disconnect.push(informer.onServedChange(() => this.servedChanged(informer)));
      informer.synced().then(this.resume, () => undefined); // rejects when the watch ends before
    }
  }

  get isNeeded(): boolean {
    return this.needing.size > 0;
  }

  /** Adds an object that needs the target. */
  add(key: ObjectKey, target: Target): void {
    const keys = this.needing.get(target) ?? new Set();
    if (keys.has(key)) return;
    this.needing.set(target, keys.add(key));
    this.targetCounts.set(key, (this.targetCounts.get(key) ?? 0) + 1);
  }

  /** Removes an object that no longer needs the target. */
  remove(key: ObjectKey, target: Target): void {
    const keys = this.needing.get(target);
    if (!keys?.delete(key)) return;
    if (keys.size === 0) this.needing.delete(target);
    const count = (this.targetCounts.get(key) ?? 0) - 1;
    if (count > 0) {
      this.targetCounts.set(key, count);
      return;
    }
    this.targetCounts.delete(key);
    this.waiting.delete(key);
  }

  /** The informers of a namespace, or of all namespaces. */
  informersIn(namespace: string | undefined): readonly Informer[] {
    return this.informers.filter(
      ({ namespace: scope }) => scope === undefined || namespace === undefined || scope === namespace,
    );
  }

  /** Returns the cache, if it is up to date and holds the target because the object needs it. */
  listerFor(key: ObjectKey, names: TargetNames): Lister | undefined {
    const targets = [EVERYTHING, targetOf(names), targetOf({ namespace: names.namespace })];
    const isNeeded = targets.some((target) => this.needing.get(target)?.has(key));
    return isNeeded && this.isUsable(names.namespace) ? this.lister : undefined;
  }

  /** Returns whether the caches of the namespace have synced and the kind is served. */
  isUsable(namespace: string | undefined): boolean {
    return this.informersIn(namespace).every(isUsable);
  }

  /**
   * Resolves with true when the caches of the namespace have synced, with false if the kind is not served.
   *
   * Rejects with the reason of the signal or with the error of the first list. After false and after an error, the object
   * is reconciled when the caches sync.
   */
  async synced(key: ObjectKey, namespace: string | undefined, signal: AbortSignal): Promise<boolean> {
    if (this.informersIn(namespace).some(({ isUnserved }) => isUnserved)) {
      this.waiting.add(key);
      return false;
    }
    try {
      await Promise.all(this.informersIn(namespace).map((informer) => firstList(informer, signal)));
      return true;
    } catch (error) {
      if (this.isUsable(namespace)) return true;
      this.waiting.add(key);
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  }

  /** Stops following events and gives the informers back. */
  end(): void {
    for (const disconnect of this.disconnect.splice(0)) disconnect();
    void this.options.informers.release(this.kind);
  }

  /** Reconciles the objects that wait for a list. */
  private readonly resume = (): void => {
    const keys = [...this.waiting];
    this.waiting.clear();
    for (const key of keys) {
      this.options.enqueue(key, { cause: { type: 'initial', source: this.source }, priority: 'normal' });
    }
  };

  /** A kind that has never been served is reported by `synced`. */
  private servedChanged({ isUnserved, hasSynced }: Informer): void {
    if (!isUnserved) this.resume();
    else if (hasSynced) this.enqueueAll();
  }

  private enqueueAll(): void {
    const source = `${this.source}, which is not served`;
    for (const key of [...this.targetCounts.keys()]) {
      this.options.enqueue(key, { cause: { type: 'trigger', source }, priority: 'normal' });
    }
  }

  private *enqueueNeeding({ object }: ObjectEvent, enqueue: Enqueue, options: AddOptions): KeySteps {
    const { namespace } = object.metadata;
    const targets = new Set([`object ${objectKey(object)}`, targetOf({ namespace }), EVERYTHING]);
    // A copy, because the sets may change before the last step.
    const keys = new Set([...targets].flatMap((target) => [...(this.needing.get(target) ?? [])]));
    for (const key of keys) {
      enqueue(key, options);
      yield;
    }
  }
}

function isUsable({ hasSynced, isUnserved }: Informer): boolean {
  return hasSynced && !isUnserved;
}

/** Resolves when the informer has synced; rejects with the first error of its connection. */
async function firstList(informer: Informer, signal: AbortSignal): Promise<void> {
  if (informer.hasSynced) return;
  if (informer.lastError) throw informer.lastError;
  const waiting = new AbortController();
  const failed = new Promise<never>((_, reject) => {
    const unsubscribe = informer.onError(reject);
    waiting.signal.addEventListener('abort', unsubscribe, { once: true });
  });
  try {
    await Promise.race([informer.synced(AbortSignal.any([signal, waiting.signal])), failed]);
  } finally {
    waiting.abort();
  }
}
