import { deepClone } from '../../base/deep-clone.js';
import { formatTime } from '../../base/timestamp.js';
import { conflict } from '../errors/status-error.js';
import { objectAt, without, type ApiObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import { StoredObject } from '../storage/stored-object.js';
import { hasNamespaceFinalizers } from './deletion-state.js';
import { shownGroup } from './object-validation.js';
import { type Registry, SYSTEM_USER } from './registry.js';
import { unmetPrecondition } from './preconditions.js';
import { assertStorable } from './assert-storable.js';
import type { DeleteOptions, WriteOptions } from './write-options.js';
import type { UserInfo } from '../objects/user-info.js';

/** Inputs of a deletion besides its options. */
interface Context extends Pick<WriteOptions, 'calls' | 'warnings' | 'annotations' | 'options'> {
  /** Keeps an object in the store after its grace period until `complete` is called, so that it can still be read. */
  readonly isInSteps?: boolean;
  readonly isOfCollection?: boolean;
}

/** The result of a deletion. */
export interface Removal {
  readonly object: StoredObject;
  /** True when the object was deleted; false when it is marked and waits for finalizers or its grace period. */
  readonly isGone: boolean;
  /** True when the object is still stored and `complete` must be called. */
  readonly isIncomplete?: boolean;
}

interface Removed {
  readonly options: DeleteOptions;
  readonly context: Context;
  readonly admit: (old: ApiObject) => void;
}

/** Deletes objects by the rules that all resources share: preconditions, grace period, propagation, finalizers. */
export class Remover {
  constructor(private readonly registry: Registry) {}

  remove(
    resource: Resource,
    name: string,
    namespace: string | undefined,
    options: DeleteOptions,
    user: UserInfo = SYSTEM_USER,
    context: Context = {},
  ): Removal {
    const present = this.registry.get(resource, name, namespace);
    context.calls?.startFrom(present.revision);
    if (options.preconditions) resource.strategy.assertDeletion?.(present.object, options.preconditions);
    const admit = (old: ApiObject): void => {
      this.admit(resource, old, { ...context, user, dryRun: options.dryRun });
    };
    const begun = this.begun(resource, present.object);
    if (begun) {
      this.assertPreconditions(resource, present.object, options.preconditions);
      admit(present.object);
      return this.storeBegun(resource, present, begun, options);
    }
    return resource.storage === 'namespaces' && !isLeaving(present.object)
      ? this.beginNamespace(resource, present, options, admit)
      : this.removeObject(resource, present, { options, context, admit });
  }

  /** Deletes an object that admission has already accepted, e.g. for an eviction. */
  removeAdmitted(resource: Resource, name: string, namespace: string | undefined, options: DeleteOptions): Removal {
    const present = this.registry.get(resource, name, namespace);
    return this.removeObject(resource, present, { options, context: {}, admit: () => undefined });
  }

  assertPreconditions(
    resource: Resource,
    { metadata }: ApiObject,
    preconditions: DeleteOptions['preconditions'],
  ): void {
    const unmet = preconditions && unmetPrecondition(preconditions, metadata);
    if (unmet !== undefined)
      throw conflict({ group: shownGroup(resource), plural: resource.kind }, metadata.name, unmet);
  }

  private admit(
    resource: Resource,
    old: ApiObject,
    more: Context & { user: UserInfo; dryRun?: boolean | undefined },
  ): void {
    const request = { ...more, operation: 'DELETE', resource, object: old, old, subresource: '' } as const;
    this.registry.admission.mutate(request);
    this.registry.admission.validate(request);
  }

  private removeObject(resource: Resource, present: StoredObject, { options, context, admit }: Removed): Removal {
    const { store } = this.registry;
    const { key } = present;
    const old = resource.codec.fromStorage(present.object);
    if (options.dryRun !== true) assertStorable(resource, old, present, context.calls);
    this.assertPreconditions(resource, old, options.preconditions);
    admit(old);
    const next = this.mark(resource, old, options);
    const isWritten = next !== old || this.registry.differsFromStorage.has(present.object);
    if (next && isWritten) {
      const stored = resource.codec.toStorage(next === old ? deepClone(old) : next, context.calls);
      const object =
        options.dryRun === true
          ? new StoredObject(key, stored, present.revision)
          : store.put(resource.storage, key, stored);
      return { object, isGone: false };
    }
    if (next) return { object: present, isGone: false };
    return this.finish(resource, present, options, context);
  }

  /** Marks a namespace as terminating, whatever the options are. It is deleted when its contents are. */
  private beginNamespace(
    resource: Resource,
    present: StoredObject,
    options: DeleteOptions,
    admit: (old: ApiObject) => void,
  ): Removal {
    const { object: old } = present;
    admit(old);
    if (old.metadata.deletionTimestamp !== undefined) return { object: present, isGone: false };
    const finalizers = withPropagation(old.metadata.finalizers ?? [], options, resource.strategy.defaultPropagation);
    const metadata = {
      ...without(old.metadata, 'finalizers'),
      deletionTimestamp: formatTime(this.registry.clock.now()),
      ...(finalizers.length > 0 && { finalizers }),
    };
    const next = { ...old, metadata, status: { ...objectAt(old, 'status'), phase: 'Terminating' } };
    return this.storeBegun(resource, present, next, options);
  }

  /** Returns the object with its deletion begun, for kinds with their own way to begin a deletion. */
  private begun({ strategy }: Resource, object: ApiObject): ApiObject | undefined {
    if (object.metadata.deletionTimestamp !== undefined) return undefined;
    return strategy.beginDeletion?.(object, this.registry.now());
  }

  private storeBegun(
    resource: Resource,
    { key, revision }: StoredObject,
    next: ApiObject,
    { dryRun }: DeleteOptions,
  ): Removal {
    const object =
      dryRun === true ? new StoredObject(key, next, revision) : this.registry.store.put(resource.storage, key, next);
    return { object, isGone: false };
  }

  /** Returns the last state of a deleted object: kinds with a grace period show that it is over. */
  private markedGone({ codec, strategy }: Resource, present: StoredObject): ApiObject {
    if (!strategy.graceSeconds) return present.object;
    const old = codec.fromStorage(present.object);
    // The first deletion clears the finalizers; a later one keeps them.
    const { deletionTimestamp, finalizers = [] } = old.metadata;
    return codec.toStorage(
      withDeletion(old, deletionTimestamp === undefined ? [] : finalizers, 0, this.registry.now()),
    );
  }

  private finish(
    resource: Resource,
    present: StoredObject,
    options: DeleteOptions,
    { isInSteps = false }: Context,
  ): Removal {
    const { store } = this.registry;
    const { key } = present;
    const marked = this.markedGone(resource, present);
    if (options.dryRun === true) return { object: new StoredObject(key, marked, present.revision), isGone: true };
    const isShown = marked !== present.object;
    const last = isShown ? store.put(resource.storage, key, marked) : present;
    if (isShown && isInSteps) return { object: last, isGone: true, isIncomplete: true };
    return { object: this.complete(resource, last), isGone: true };
  }

  /** Removes an object from the store, unless an object with another uid has replaced it. */
  complete(resource: Resource, last: StoredObject): StoredObject {
    const { store } = this.registry;
    const { key, object } = last;
    if (store.get(resource.storage, key)?.object.metadata.uid !== object.metadata.uid) return last;
    const removed = store.remove(resource.storage, key) ?? last;
    resource.strategy.afterDelete?.(removed.object);
    return removed;
  }

  /**
   * Returns the object with its deletion begun, the same object if it already was, or undefined if it can be deleted
   * now.
   */
  private mark(resource: Resource, old: ApiObject, options: DeleteOptions): ApiObject | undefined {
    const { deletionTimestamp, deletionGracePeriodSeconds: left = 0 } = old.metadata;
    if (deletionTimestamp === undefined) return this.markFirst(resource, old, options);
    const now = this.registry.clock.now();
    const finalizers = finalizersOf(resource, old, options);
    if (resource.strategy.graceSeconds === undefined || left <= 0) {
      const time = Math.min(Date.parse(deletionTimestamp), now);
      return finalizers.length === 0 ? undefined : withDeletion(old, finalizers, 0, formatTime(time));
    }
    return shortened(old, finalizers, requestedGraceSeconds(options), now);
  }

  private markFirst(resource: Resource, old: ApiObject, options: DeleteOptions): ApiObject | undefined {
    const finalizers = finalizersOf(resource, old, options);
    const grace = resource.strategy.graceSeconds?.(old, requestedGraceSeconds(options)) ?? 0;
    if (finalizers.length === 0 && grace <= 0) return undefined;
    return withDeletion(old, finalizers, grace, formatTime(this.registry.clock.now() + grace * 1000));
  }
}

/** The requested grace period; a negative one counts as one second. */
function requestedGraceSeconds({ gracePeriodSeconds: asked }: DeleteOptions): number | undefined {
  return asked !== undefined && asked < 0 ? 1 : asked;
}

/** Returns the finalizers after a deletion request; keeps the order if the set is unchanged. */
function finalizersOf(
  { strategy, storage }: Resource,
  { metadata }: ApiObject,
  options: DeleteOptions,
): readonly string[] {
  const { finalizers: former = [] } = metadata;
  if (storage === 'events') return former; // Events own no objects
  const finalizers = withPropagation(former, options, strategy.defaultPropagation);
  return sameMembers(finalizers, former) ? former : finalizers;
}

/** Shortens a running grace period; a later deletion cannot extend it. */
function shortened(
  old: ApiObject,
  finalizers: readonly string[],
  period: number | undefined,
  now: number,
): ApiObject | undefined {
  const { deletionTimestamp = '', deletionGracePeriodSeconds: left = 0 } = old.metadata;
  if (period === undefined || period >= left) return old;
  if (finalizers.length === 0 && period === 0) return undefined;
  const time = Date.parse(deletionTimestamp) + (period - left) * 1000;
  // A grace period that would already be over is set to at most one second.
  return time < now
    ? withDeletion(old, finalizers, Math.min(period, 1), formatTime(now))
    : withDeletion(old, finalizers, period, formatTime(time));
}

/** Returns the object marked as being deleted, or the same object if nothing changes. */
function withDeletion(old: ApiObject, finalizers: readonly string[], grace: number, time: string): ApiObject {
  const { generation = 0, deletionTimestamp, deletionGracePeriodSeconds, finalizers: former = [] } = old.metadata;
  const isSame = sameMembers(finalizers, former) && deletionGracePeriodSeconds === grace;
  if (isSame && deletionTimestamp === time) return old;
  return {
    ...old,
    metadata: {
      ...without(old.metadata, 'finalizers'),
      ...(generation > 0 && deletionTimestamp === undefined && { generation: generation + 1 }),
      deletionTimestamp: time,
      deletionGracePeriodSeconds: grace,
      ...(finalizers.length > 0 && { finalizers: [...finalizers] }),
    },
  };
}

/** Returns whether a namespace is being deleted and its contents are deleted. */
function isLeaving(namespace: ApiObject): boolean {
  return namespace.metadata.deletionTimestamp !== undefined && !hasNamespaceFinalizers(namespace);
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((member) => b.includes(member));
}

/** Returns the finalizers with those of the garbage collector as the options require. */
function withPropagation(
  finalizers: readonly string[],
  { propagationPolicy: asked, orphanDependents }: DeleteOptions,
  usual: 'Orphan' | undefined,
): string[] {
  const isLeftOpen = !finalizers.some((finalizer) => finalizer === 'orphan' || finalizer === 'foregroundDeletion');
  const propagationPolicy = asked ?? (orphanDependents === undefined && isLeftOpen ? usual : undefined);
  const shouldOrphan = propagationPolicy === undefined ? orphanDependents : propagationPolicy === 'Orphan';
  const isForeground = propagationPolicy === 'Foreground';
  if (propagationPolicy === undefined && orphanDependents === undefined) return [...finalizers];
  const kept = finalizers.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  if (shouldOrphan === true) kept.push('orphan');
  if (isForeground) kept.push('foregroundDeletion');
  return kept;
}
