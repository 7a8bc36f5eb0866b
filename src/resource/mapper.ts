import type { KindLike, ObjectOf } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import type { NamespacedName } from '../api/object-key.js';
import type { LabelSelector } from '../api/label-selector.js';

/** Synchronous reads of the cached objects. They are shared and read-only, and frozen unless in production. */
export interface CacheReader {
  get<K extends KindLike>(kind: K, name: string, namespace?: string): ObjectOf<K> | undefined;
  list<K extends KindLike>(kind: K, options?: { namespace?: string; selector?: LabelSelector }): ObjectOf<K>[];
}

/**
 * Names the objects to reconcile for a watched object. Called for the old and the new state of an update.
 *
 * A bare name is taken in the watched object's namespace, or none where the own kind has cluster scope.
 */
export type Mapper<T extends KubeObject = KubeObject> = (
  object: T,
  cache: CacheReader,
) => Iterable<string | NamespacedName>;

/** Maps to the object whose name the label holds. */
export function byLabel(label: string): Mapper {
  return ({ metadata }) => {
    const name = metadata.labels?.[label];
    return name ? [name] : [];
  };
}
