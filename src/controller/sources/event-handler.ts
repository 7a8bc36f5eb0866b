import { apiVersionOf, type KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, OwnerReference, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { ObjectEvent } from '../../api/events/object-event.js';
import { keyOf, objectKey, type ObjectKey } from '../../api/objects/object-key.js';
import { isPriority, type Priority } from '../../api/events/priority.js';
import { OperatorError } from '../../base/operator-error.js';
import type { AddOptions } from '../../queue/queue.js';
import type { CacheReader, MappedObject, Mapper } from '../../resource/mapper.js';
import type { UnmatchedNames } from './unmatched-names.js';

/** Puts a key into the queue of a controller. */
export type Enqueue = (key: ObjectKey, options: AddOptions) => void;

/**
 * Turns an event into the keys to reconcile; `options` have the event as the cause of those reconciles.
 *
 * Returns the steps of its work if there may be many keys.
 */
export type EnqueueHandler = (event: ObjectEvent, enqueue: Enqueue, options: AddOptions) => KeySteps | undefined;

/** Adds one key with each step. */
export type KeySteps = Generator<undefined, void>;

/** Enqueues the object itself. */
export const enqueueObject: EnqueueHandler = (event, enqueue, options) => {
  enqueue(objectKey(event.object), options);
  return undefined;
};

/**
 * Enqueues the controller owner if it is of the given kind in any version; for an update also the owner of the old
 * state. With `anyOwner`, enqueues all owners of the kind. Calls `onOtherVersion` before with each object whose reference
 * has another version than the kind.
 *
 * Compares names only. The uid of the reference is compared when the owner is reconciled.
 */
export function enqueueOwner(
  ownerKind: KindRef,
  anyOwner = false,
  onOtherVersion?: (object: ReadonlyDeep<KubeObject>, ownerUid: string) => void,
): EnqueueHandler {
  const isNamespaced = ownerKind.scope === 'Namespaced';
  const apiVersion = apiVersionOf(ownerKind);
  const enqueueOwnersOf = ({ metadata }: ReadonlyDeep<KubeObject>, enqueue: Enqueue, options: AddOptions): void => {
    for (const owner of metadata.ownerReferences ?? []) {
      if (!anyOwner && owner.controller !== true) continue;
      if (owner.kind !== ownerKind.kind || groupOf(owner) !== ownerKind.group) continue;
      if (owner.apiVersion !== apiVersion) onOtherVersion?.({ metadata }, owner.uid);
      enqueue(keyOf(owner.name, isNamespaced ? metadata.namespace : undefined), options);
    }
  };
  return (event, enqueue, options) => {
    enqueueOwnersOf(event.object, enqueue, options);
    if (event.type === 'update') enqueueOwnersOf(event.old, enqueue, options);
    return undefined;
  };
}

/** The apiVersion of the core group has no slash. */
function groupOf({ apiVersion }: Readonly<OwnerReference>): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
}

/**
 * Enqueues the objects that the mapper returns; for an update also those that it returns for the old state. Names that no
 * object can have are reported to `unmatched` and ignored.
 */
export function enqueueMapped(
  mapper: Mapper,
  cache: CacheReader,
  ownKind: KindRef,
  unmatched: Pick<UnmatchedNames, 'includes'>,
): EnqueueHandler {
  const isNamespaced = ownKind.scope === 'Namespaced';
  const enqueueMappedOf = function* (
    object: ReadonlyDeep<KubeObject>,
    enqueue: Enqueue,
    options: AddOptions,
  ): KeySteps {
    const mapped = mapper(object, cache, ownKind);
    if (typeof mapped === 'string') throw stringReturned(mapped);
    // A copy, because the mapper may return a list that changes before the last step.
    for (const named of [...mapped]) {
      const {
        name,
        namespace = object.metadata.namespace,
        priority,
      }: MappedObject = typeof named === 'string' ? { name: named } : named;
      if (!unmatched.includes(name, namespace))
        enqueue(keyOf(name, isNamespaced ? namespace : undefined), withPriority(options, priority));
      yield;
    }
  };
  return function* (event, enqueue, options) {
    try {
      yield* enqueueMappedOf(event.object, enqueue, options);
    } finally {
      if (event.type === 'update') yield* enqueueMappedOf(event.old, enqueue, options);
    }
  };
}

/** An object that has not changed keeps its low priority. */
function withPriority(options: AddOptions, priority: Priority | undefined): AddOptions {
  if (priority === undefined || options.priority === 'low') return options;
  if (isPriority(priority)) return { ...options, priority };
  throw new OperatorError(`the mapper returned the priority ${String(priority)}`, {
    code: 'E_MAPPER',
    hint: "return [{ name, namespace, priority: 'high' }], 'normal' or 'low'",
  });
}

/** A string is iterable too, so the type of a mapper cannot exclude it. */
function stringReturned(name: string): OperatorError {
  return new OperatorError(`the mapper returned the string "${name}" instead of a list of names`, {
    code: 'E_MAPPER',
    hint: `return ["${name}"]`,
  });
}
