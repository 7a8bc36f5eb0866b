import type { CacheIndex } from '../../api/selection/cache-index.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import { assertCalled, metadataKey, prependMetadata } from '../metadata.js';
import type { ObjectController } from '../object-controller.js';

export const INDEX = metadataKey<CacheIndex>('index');

/**
 * Adds an index of `indexBy` to the caches of the class: to that of its own kind, or of one in `@Owns` or `@Watches`.
 *
 * The index is built before the first reconcile. It is an error if no cache of the class has the fields of the index.
 */
export function Index(
  index: CacheIndex,
): (target: abstract new (...args: never[]) => KubeObject | ObjectController<KubeObject>) => void {
  assertCalled(INDEX, index);
  return (target) => {
    prependMetadata(INDEX, target, index);
  };
}
