import type { KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import type { ObjectEvent } from '../api/object-event.js';
import { keyOf, objectKey, type NamespacedName, type ObjectKey } from '../api/object-key.js';
import { controllerOf } from '../api/owner-reference.js';
import type { CacheReader, Mapper } from '../resource/mapper.js';

/** Puts a key into the queue of a controller. */
export type Enqueue = (key: ObjectKey) => void;

/** Turns an event into the keys to reconcile. */
export type EventHandler = (event: ObjectEvent, enqueue: Enqueue) => void;

/** The object itself. */
export const enqueueObject: EventHandler = (event, enqueue) => {
  enqueue(objectKey(event.object));
};

/**
 * The controller owner, if it is of the given kind in any version; for an update also the owner of the old state.
 *
 * By name only: whether the owner still has the uid of the reference shows when it is reconciled.
 */
export function enqueueOwner(ownerKind: KindRef): EventHandler {
  const groupPrefix = `${ownerKind.group}/`;
  const isNamespaced = ownerKind.scope === 'Namespaced';
  const enqueueOwnerOf = (object: KubeObject, enqueue: Enqueue): void => {
    const owner = controllerOf(object);
    if (owner?.kind !== ownerKind.kind || !owner.apiVersion.startsWith(groupPrefix)) return;
    enqueue(keyOf(owner.name, isNamespaced ? object.metadata.namespace : undefined));
  };
  return (event, enqueue) => {
    enqueueOwnerOf(event.object, enqueue);
    if (event.type === 'update') enqueueOwnerOf(event.old, enqueue);
  };
}

/** What the mapper names for the object; for an update also what it names for the old state. */
export function enqueueMapped(mapper: Mapper, cache: CacheReader, ownKind: KindRef): EventHandler {
  const isNamespaced = ownKind.scope === 'Namespaced';
  const keyFor = (named: string | NamespacedName, object: KubeObject): ObjectKey => {
    if (typeof named !== 'string') return keyOf(named.name, named.namespace);
    return keyOf(named, isNamespaced ? object.metadata.namespace : undefined);
  };
  const enqueueMappedOf = (object: KubeObject, enqueue: Enqueue): void => {
    for (const named of mapper(object, cache)) enqueue(keyFor(named, object));
  };
  return (event, enqueue) => {
    try {
      enqueueMappedOf(event.object, enqueue);
    } finally {
      if (event.type === 'update') enqueueMappedOf(event.old, enqueue);
    }
  };
}
