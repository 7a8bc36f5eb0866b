import { setImmediate as nextTurn } from 'node:timers/promises';
import { resourceName, type KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import { objectKey, type ObjectKey } from '../api/object-key.js';
import { assertObject } from '../client/assert-object.js';
import { WatchError } from '../client/watch-error.js';
import type { ListWatcher, WatchScope } from './list-watcher.js';

/** Listed objects that are stored by key in one turn of the event loop, which takes about 2 ms. */
const SLICE = 5000;

/** All objects of a kind and scope at one resourceVersion. */
interface PagedList<T extends KubeObject> {
  readonly objects: Map<ObjectKey, T>;
  readonly resourceVersion: string;
}

interface PagedListOptions {
  readonly kind: KindRef;
  readonly scope: WatchScope;
  readonly keepManagedFields?: boolean;
}

/**
 * Lists objects in pages, as servers without streamed lists require.
 *
 * @param transform is called for each object, in the order of the list, and returns the object to keep
 * @throws WatchError for a list without a resourceVersion, since no watch could continue it; errors of the requests; the
 * reason of the signal
 */
export async function readPagedList<T extends KubeObject>(
  client: ListWatcher,
  { kind, scope, keepManagedFields = false }: PagedListOptions,
  transform: (object: T) => T,
  signal: AbortSignal,
): Promise<PagedList<T>> {
  const { items, resourceVersion } = await client.list(kind, {
    ...scope,
    keepManagedFields,
    retries: 0,
    transform: (item) => {
      assertObject(kind, item, 'list');
      return transform(item as T);
    },
    signal,
  });
  if (resourceVersion === '')
    throw new WatchError(`the list of ${resourceName(kind)} has no resourceVersion`, 'incomplete');
  const objects = new Map<ObjectKey, T>();
  for (const [index, item] of items.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    objects.set(objectKey(item), item as T);
  }
  signal.throwIfAborted();
  return { objects, resourceVersion };
}
