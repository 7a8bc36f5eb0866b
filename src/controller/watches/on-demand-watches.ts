import { cacheKey, kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { ObjectKey } from '../../api/objects/object-key.js';
import { OperatorError } from '../../base/operator-error.js';
import { thrownError } from '../../base/thrown-error.js';
import type { Informer } from '../../cache/informer.js';
import type { Lister } from '../../cache/lister.js';
import { NoNamespaceError } from '../run/no-namespace-error.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';
import { OnDemandWatch, targetOf, type OnDemandWatchOptions, type TargetNames } from './on-demand-watch.js';

export interface OnDemandWatchesOptions extends Omit<OnDemandWatchOptions, 'onDelete'> {
  /** Returns whether this process reconciles an object. */
  readonly owns: (key: ObjectKey) => boolean;
  /** Called when a watch has begun or ended. */
  readonly onChange: () => void;
  /** Returns the next step to take after an error of the server. */
  readonly hintFor: (kind: KindRef, error: Error) => string | undefined;
}

/** A target that an object needs. */
interface Need {
  readonly watch: OnDemandWatch;
  readonly target: string;
  /** True if the last successful reconcile has declared it. */
  isConfirmed: boolean;
}

interface ObjectNeeds {
  readonly needs: Map<string, Need>;
  /** The needs that the running reconcile has declared. */
  readonly declared: Set<string>;
}

/**
 * The watches that the objects of a controller have declared by `ctx.watch`: one for each kind and part of a kind.
 *
 * Flow: `declare` during a reconcile, `settle` at its end, `drop` when the object is deleted, `close` when the controller
 * has stopped. A watch begins with the first object that needs it and ends with the last.
 * Guarantees: a failed reconcile ends no watch that the last successful one has declared.
 */
export class OnDemandWatches {
  private readonly watches = new Map<string, OnDemandWatch>();
  private readonly byObject = new Map<ObjectKey, ObjectNeeds>();
  private readonly deletionListeners = new Set<OnDemandWatchOptions['onDelete']>();
  private isClosed = false;

  constructor(private readonly options: OnDemandWatchesOptions) {}

  /** Calls the listener when an object of any watch is deleted, until the returned function is called. */
  onDelete(listener: OnDemandWatchOptions['onDelete']): () => void {
    this.deletionListeners.add(listener);
    return () => {
      this.deletionListeners.delete(listener);
    };
  }

  /** The informers of all watches. */
  get informers(): Informer[] {
    return [...this.watches.values()].flatMap(({ informers }) => informers);
  }

  /** The watches of a kind and of its parts. */
  watchesOf(kind: KindRef): OnDemandWatch[] {
    if (this.watches.size === 0) return [];
    const wanted = kindKey(kind);
    return [...this.watches.values()].filter((watch) => kindKey(watch.kind) === wanted);
  }

  /** Reports whether an object needs anything. */
  has(key: ObjectKey): boolean {
    return this.byObject.has(key);
  }

  /** Returns the cache of a target that an object needs; undefined if it has to read from the server. */
  listerFor(key: ObjectKey, kind: KindRef, names: TargetNames): Lister | undefined {
    return this.has(key) ? this.watches.get(cacheKey(kind))?.listerFor(key, names) : undefined;
  }

  /** Reports whether an object needs anything of the kind. */
  isNeeded(key: ObjectKey, kind: KindRef): boolean {
    const needs = [...(this.byObject.get(key)?.needs.values() ?? [])];
    return needs.some(({ watch }) => kindKey(watch.kind) === kindKey(kind));
  }

  /** See `Context.watch`. The declaration is effective when the call returns, before its promise settles. */
  async declare(request: ReconcileRequest, kind: KindRef, names: TargetNames): Promise<boolean> {
    request.throwIfAborted();
    if (this.isClosed) throw new OperatorError('the controller has stopped', { code: 'E_STOPPED' });
    const { name, namespace } = names;
    if (name !== undefined && namespace === undefined && kind.scope === 'Namespaced') {
      throw new NoNamespaceError(kind, name, `ctx.watch(${kind.kind}, { name: '${name}', namespace: '…' })`);
    }
    const watch = this.watchOf(kind);
    if (watch.informersIn(namespace).length === 0) {
      this.endUnneeded([watch]);
      throw notWatchedIn(kind, namespace);
    }
    this.add(request.key, watch, targetOf(names));
    if (watch.isUsable(namespace)) return true;
    request.requestSent();
    try {
      return await watch.synced(request.key, namespace, request.signal);
    } catch (error) {
      if (request.isAborted) throw error;
      throw this.failed(kind, thrownError(error));
    }
  }

  /**
   * Must be called at the end of a reconcile of an object that exists: drops what a successful one did not declare, and
   * what neither a failed one nor the last successful one declared.
   */
  settle(key: ObjectKey, isSuccess: boolean): void {
    const object = this.byObject.get(key);
    if (!object) return;
    if (!this.options.owns(key)) {
      this.drop(key);
      return;
    }
    const { needs, declared } = object;
    const dropped = [...needs].filter(([id, { isConfirmed }]) => !declared.has(id) && (isSuccess || !isConfirmed));
    if (isSuccess) for (const id of declared) confirm(needs.get(id));
    declared.clear();
    this.remove(key, object, dropped);
  }

  /** Drops everything that an object needs. */
  drop(key: ObjectKey): void {
    const object = this.byObject.get(key);
    if (object) this.remove(key, object, [...object.needs]);
  }

  /** Drops everything that other objects need. */
  retain(isKept: (key: ObjectKey) => boolean): void {
    for (const key of [...this.byObject.keys()]) if (!isKept(key)) this.drop(key);
  }

  /** Uses the informers of the present namespaces, after these have changed. */
  renew(): void {
    for (const watch of this.watches.values()) watch.renew();
  }

  /** Ends all watches; nothing can be declared afterwards. */
  close(): void {
    this.isClosed = true;
    this.retain(() => false);
  }

  private watchOf(kind: KindRef): OnDemandWatch {
    const id = cacheKey(kind);
    const existing = this.watches.get(id);
    if (existing) return existing;
    const watch = new OnDemandWatch(kind, {
      ...this.options,
      onDelete: (watched, object) => {
        for (const listener of this.deletionListeners) listener(watched, object);
      },
    });
    this.watches.set(id, watch);
    this.options.onChange();
    return watch;
  }

  private add(key: ObjectKey, watch: OnDemandWatch, target: string): void {
    const object = this.byObject.get(key) ?? { needs: new Map<string, Need>(), declared: new Set<string>() };
    this.byObject.set(key, object);
    const id = `${cacheKey(watch.kind)} ${target}`;
    object.declared.add(id);
    if (object.needs.has(id)) return;
    object.needs.set(id, { watch, target, isConfirmed: false });
    watch.add(key, target);
  }

  private remove(key: ObjectKey, { needs }: ObjectNeeds, dropped: readonly (readonly [string, Need])[]): void {
    for (const [id, { watch, target }] of dropped) {
      needs.delete(id);
      watch.remove(key, target);
    }
    if (needs.size === 0) this.byObject.delete(key);
    this.endUnneeded(new Set(dropped.map(([, { watch }]) => watch)));
  }

  private endUnneeded(watches: Iterable<OnDemandWatch>): void {
    let hasEnded = false;
    for (const watch of watches) {
      if (watch.isNeeded || !this.watches.delete(cacheKey(watch.kind))) continue;
      watch.end();
      hasEnded = true;
    }
    if (hasEnded) this.options.onChange();
  }

  /** A new error for each reconcile: the watch reports the same one to all. */
  private failed(kind: KindRef, cause: Error): OperatorError {
    const hint = this.options.hintFor(kind, cause);
    return new OperatorError(`cannot watch ${kind.kind}: ${cause.message}`, { code: 'E_NOT_WATCHED', hint, cause });
  }
}

function confirm(need: Need | undefined): void {
  if (need) need.isConfirmed = true;
}

function notWatchedIn({ kind, part }: KindRef, namespace = ''): OperatorError {
  return new OperatorError(`${kind} objects of namespace ${namespace} cannot be watched`, {
    code: 'E_NOT_WATCHED',
    hint: part?.namespaces
      ? `add '${namespace}' to the namespaces of partOf(${kind}, …)`
      : `run the operator with this namespace, or pass partOf(${kind}, { namespaces: ['${namespace}'] })`,
  });
}

/** The error of `ctx.watch` in a daemon. */
export function daemonWatch({ kind }: KindRef): OperatorError {
  return new OperatorError(
    `ctx.watch(${kind}) was called by a @Daemon method, which does not run again after a change`,
    {
      code: 'E_NOT_WATCHED',
      hint: `call ctx.watch(${kind}) in reconcile, or use ctx.client.watch(${kind}, …)`,
    },
  );
}
