import type { ObjectStore } from '../storage/object-store.js';
import type { StoreEvent } from '../storage/stored-object.js';

/**
 * Calls `listener` for every existing object of a collection and for every later change; returns an unsubscribe
 * function.
 */
export function follow(
  store: ObjectStore,
  collection: string,
  listener: (event: Pick<StoreEvent, 'type' | 'current' | 'previous'>) => void,
): () => void {
  const objects = store.collection(collection);
  for (const current of [...objects.range('')]) listener({ type: 'ADDED', current, previous: undefined });
  return objects.subscribe(listener);
}
