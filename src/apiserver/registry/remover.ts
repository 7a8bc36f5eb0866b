import { formatTime } from '../../base/timestamp.js';
import { keyOf } from '../../api/object-key.js';
import { conflict, notFound } from '../errors/status-error.js';
import { objectAt, without, type ApiObject } from '../object.js';
import type { Resource } from '../resources/resource.js';
import { StoredObject } from '../storage/stored-object.js';
import { hasNamespaceFinalizers } from './namespace-finalizers.js';
import type { Registry } from './registry.js';
import { SYSTEM_USER } from './registry.js';
import {
  unmetPrecondition,
  type DeleteOptions,
  type Preconditions,
  type UserInfo,
  type WriteOptions,
} from './write-options.js';

/** What became of a deletion. */
export interface Removal {
  readonly object: StoredObject;
  /** Gone from the store, rather than marked and waiting for finalizers or grace. */
  readonly isGone: boolean;
}

/** Deletes objects by the rules all resources share: preconditions, grace, propagation, finalizers. */
export class Remover {
  constructor(private readonly registry: Registry) {}

  remove(
    resource: Resource,
    name: string,
    namespace: string | undefined,
    options: DeleteOptions,
    user: UserInfo = SYSTEM_USER,
    context: Pick<WriteOptions, 'calls' | 'warnings' | 'annotations' | 'options'> = {},
  ): Removal {
    const { store } = this.registry;
    const key = keyOf(name, namespace);
    context.warnings?.push(...propagationWarnings(resource, options));
    const present = store.get(resource.storage, key);
    if (!present) throw notFound(resource, name);
    context.calls?.startFrom(present.revision);
    const old = resource.codec.fromStorage(present.object);
    this.admit(resource, old, options, { ...context, user });
    const next = this.mark(resource, old, options);
    if (next && next !== old) {
      const stored = resource.codec.toStorage(next, context.calls);
      const object =
        options.dryRun === true
          ? new StoredObject(key, stored, present.revision)
          : store.put(resource.storage, key, stored);
      return { object, isGone: false };
    }
    if (next) return { object: present, isGone: false };
    return { object: this.finish(resource, key, present, options), isGone: true };
  }

  /** Refuses a deletion meant for another object, or one that admission does not want. */
  private admit(
    resource: Resource,
    old: ApiObject,
    { preconditions, dryRun }: DeleteOptions,
    context: Pick<WriteOptions, 'calls' | 'warnings' | 'annotations' | 'options' | 'user'>,
  ): void {
    if (preconditions) checkPreconditions(resource, old, preconditions);
    const { admission } = this.registry;
    const request = { ...context, operation: 'DELETE', resource, object: old, old, subresource: '', dryRun } as const;
    admission.mutate(request);
    admission.validate(request);
  }

  /** Kinds with a grace period show that it is over before they go. */
  private markGone(resource: Resource, key: string, old: ApiObject): void {
    const marked = this.withDeletion(old, old.metadata.finalizers ?? [], 0, undefined);
    this.registry.store.put(resource.storage, key, resource.codec.toStorage(marked));
  }

  private finish(resource: Resource, key: string, present: StoredObject, options: DeleteOptions): StoredObject {
    if (options.dryRun === true) return present;
    if (resource.strategy.graceSeconds) this.markGone(resource, key, resource.codec.fromStorage(present.object));
    const removed = this.registry.store.remove(resource.storage, key) ?? present;
    resource.strategy.afterDelete?.(removed.object);
    return removed;
  }

  /** The object with its deletion begun, the same object when it already has, or undefined when it can go now. */
  private mark(resource: Resource, old: ApiObject, options: DeleteOptions): ApiObject | undefined {
    const { strategy } = resource;
    const finalizers = withPropagation(old.metadata.finalizers ?? [], options, strategy.defaultPropagation);
    const grace = strategy.graceSeconds?.(old, options.gracePeriodSeconds) ?? 0;
    const isNamespace = resource.storage === 'namespaces';
    if (finalizers.length === 0 && grace <= 0 && !(isNamespace && isNamespaceHeld(old))) return undefined;
    if (old.metadata.deletionTimestamp !== undefined) return this.markAgain(old, finalizers, grace);
    const marked = this.withDeletion(old, finalizers, grace, undefined);
    return isNamespace ? terminating(marked) : marked;
  }

  /** A second deletion may only shorten the grace or change what happens to dependents. */
  private markAgain(old: ApiObject, finalizers: readonly string[], grace: number): ApiObject {
    const { deletionTimestamp, deletionGracePeriodSeconds: present = 0, finalizers: former = [] } = old.metadata;
    if (grace < present) return this.withDeletion(old, finalizers, grace, undefined);
    return finalizers.length === former.length ? old : this.withDeletion(old, finalizers, present, deletionTimestamp);
  }

  private withDeletion(
    old: ApiObject,
    finalizers: readonly string[],
    grace: number,
    since: string | undefined,
  ): ApiObject {
    const { generation = 0, deletionTimestamp } = old.metadata;
    const isFirst = deletionTimestamp === undefined;
    return {
      ...old,
      metadata: {
        ...without(old.metadata, 'finalizers'),
        ...(generation > 0 && isFirst && { generation: generation + 1 }),
        deletionTimestamp: since ?? formatTime(this.registry.clock.now() + grace * 1000),
        deletionGracePeriodSeconds: grace,
        ...(finalizers.length > 0 && { finalizers: [...finalizers] }),
      },
    };
  }
}

function propagationWarnings({ strategy }: Resource, options: DeleteOptions): string[] {
  const isSaid = options.propagationPolicy !== undefined || options.orphanDependents !== undefined;
  return isSaid || strategy.propagationWarning === undefined ? [] : [strategy.propagationWarning];
}

function checkPreconditions(resource: Resource, old: ApiObject, preconditions: Preconditions): void {
  resource.strategy.checkDeletion?.(old, preconditions);
  const unmet = unmetPrecondition(preconditions, old.metadata);
  if (unmet !== undefined) throw conflict({ group: resource.group, plural: resource.kind }, old.metadata.name, unmet);
}

/** The first deletion of a namespace only marks it, whatever holds it. */
function isNamespaceHeld(namespace: ApiObject): boolean {
  return namespace.metadata.deletionTimestamp === undefined || hasNamespaceFinalizers(namespace);
}

function terminating(namespace: ApiObject): ApiObject {
  const metadata = without(namespace.metadata, 'deletionGracePeriodSeconds');
  return { ...namespace, metadata, status: { ...objectAt(namespace, 'status'), phase: 'Terminating' } };
}

/** The garbage collector's finalizers as the options want them. */
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
