import { laterTurn } from '../base/turns.js';
import { resourceName, type KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import { assertObject } from '../client/assert-object.js';
import { WatchError } from '../client/watch-error.js';
import type { ListedObjects } from './listed-objects.js';
import type { ListWatcher, WatchScope } from './list-watcher.js';

/** The number of objects that are compared with the store in one turn of the event loop, which takes about 2 ms. */
const SLICE = 5000;

interface PagedListOptions {
  readonly kind: KindRef;
  readonly scope: WatchScope;
  readonly keepManagedFields?: boolean;
  /** The time for each page. */
  readonly timeout?: number;
}

/**
 * Adds all objects of a kind and scope to a list, in pages, as servers without streamed lists require.
 *
 * @returns the resourceVersion of the list
 * @throws WatchError for a list without a resourceVersion, since no watch could continue it; errors of the requests; the
 * reason of the signal
 */
export async function readPagedList<T extends KubeObject>(
  client: ListWatcher,
  { kind, scope, keepManagedFields = false, timeout }: PagedListOptions,
  listed: ListedObjects<T>,
  signal: AbortSignal,
): Promise<string> {
  const { items, resourceVersion } = await client.list(kind, {
    ...scope,
    keepManagedFields,
    retries: 0,
    ...(timeout !== undefined && { timeout }),
    transform: (item) => {
      assertObject(kind, item, 'list');
      return listed.reuse(item as T);
    },
    signal,
  });
  if (resourceVersion === '')
    throw new WatchError(`the list of ${resourceName(kind)} has no resourceVersion`, 'incomplete');
  // Not page by page: if a continue token expires, the list is read again from the start.
  for (const [index, item] of items.entries()) {
    if (index % SLICE === SLICE - 1) await laterTurn();
    listed.add(item as T);
  }
  signal.throwIfAborted();
  return resourceVersion;
}
