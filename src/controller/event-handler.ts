import type { KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import type { ObjectEvent } from '../api/object-event.js';
import { keyOf, objectKey, type NamespacedName, type ObjectKey } from '../api/object-key.js';
import { controllerOf } from '../api/owner-reference.js';
import type { Cause } from '../api/probe.js';
import type { CacheReader, Mapper } from '../resource/mapper.js';

/** Puts a key into the queue of a controller. */
export type Enqueue = (key: ObjectKey, cause: Cause) => void;

/** Turns an event into the keys to reconcile; `cause` is the event as the cause of those reconciles. */
export type EventHandler = (event: ObjectEvent, enqueue: Enqueue, cause: Cause) => void;

/** The object itself. */
export const enqueueObject: EventHandler = (event, enqueue, cause) => {
  enqueue(objectKey(event.object), cause);
};

/**
 * The controller owner, if it is of the given kind in any version; for an update also the owner of the old state.
 *
 * By name only: whether the owner still has the uid of the reference shows when it is reconciled.
 */
export function enqueueOwner(ownerKind: KindRef): EventHandler {
  const groupPrefix = `${ownerKind.group}/`;
  const isNamespaced = ownerKind.scope === 'Namespaced';
  const enqueueOwnerOf = (object: KubeObject, enqueue: Enqueue, cause: Cause): void => {
    const owner = controllerOf(object);
    if (owner?.kind !== ownerKind.kind || !owner.apiVersion.startsWith(groupPrefix)) return;
    enqueue(keyOf(owner.name, isNamespaced ? object.metadata.namespace : undefined), cause);
  };
  return (event, enqueue, cause) => {
    enqueueOwnerOf(event.object, enqueue, cause);
    if (event.type === 'update') enqueueOwnerOf(event.old, enqueue, cause);
  };
}

/** What the mapper names for the object; for an update also what it names for the old state. */
export function enqueueMapped(mapper: Mapper, cache: CacheReader, ownKind: KindRef): EventHandler {
  const isNamespaced = ownKind.scope === 'Namespaced';
  const keyFor = (named: string | NamespacedName, object: KubeObject): ObjectKey => {
    if (typeof named !== 'string') return keyOf(named.name, named.namespace);
    return keyOf(named, isNamespaced ? object.metadata.namespace : undefined);
  };
  const enqueueMappedOf = (object: KubeObject, enqueue: Enqueue, cause: Cause): void => {
    for (const named of mapper(object, cache)) enqueue(keyFor(named, object), cause);
  };
  return (event, enqueue, cause) => {
    try {
      enqueueMappedOf(event.object, enqueue, cause);
    } finally {
      if (event.type === 'update') enqueueMappedOf(event.old, enqueue, cause);
    }
  };
}
