import type { IndexMatch, IndexPath } from '../api/selection/cache-index.js';
import type { FieldMatch } from '../api/selection/field-match.js';
import type { KindLike, KindRef, ObjectOf } from '../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import type { LabelSelector } from '../api/selection/label-selector.js';
import type { Priority } from '../api/events/priority.js';

/** Synchronous reads of the cached objects. They are shared and read-only, and frozen unless in production. */
export interface CacheReader {
  get<K extends KindLike>(kind: K, name: string, namespace?: string): ReadonlyDeep<ObjectOf<K>> | undefined;
  /** Returns the objects that match all options, sorted by namespace and name. Default: all namespaces. */
  list<K extends KindLike, const P extends string = never, const Q extends string = never>(
    kind: K,
    options?: CacheListOptions<ObjectOf<K>, P, Q>,
  ): ReadonlyDeep<ObjectOf<K>>[];
}

/** Selects cached objects by all of the given options. */
export interface CacheListOptions<
  T extends KubeObject = KubeObject,
  P extends string = never,
  Q extends string = never,
> {
  readonly namespace?: string;
  /** `app=web`, `tier in (a,b)`, `!legacy`, or an object. */
  readonly labelSelector?: string | LabelSelector;
  /** Labels that the objects must have, with these values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Values that fields of the objects must have, by path: `{ 'spec.nodeName': 'node-1' }`. */
  readonly where?: FieldMatch<T, P>;
  /** A value that the objects must have in an index of `indexBy`; see `@Index`. */
  readonly index?: IndexMatch<Q & IndexPath<T, Q>>;
}

/** An object to reconcile. The metadata of an object is one, too. */
export interface MappedObject {
  readonly name: string;
  /** Default: the namespace of the watched object. Ignored when the reconciled kind has cluster scope. */
  readonly namespace?: string | undefined;
  /** The priority of its reconcile in the queue. Default `normal`; always `low` for objects that have not changed since a restart. */
  readonly priority?: Priority | undefined;
}

/**
 * Names the objects to reconcile for a watched object: a bare name is short for `{ name }`.
 *
 * Called for the old and the new state of an update, so that an object that a label no longer names is reconciled too.
 * `reconciledKind` is the kind of the class that the mapper is given for. The object is shared and read-only, and frozen
 * unless in production.
 */
export type Mapper<T extends KubeObject = KubeObject> = (
  object: ReadonlyDeep<T>,
  cache: CacheReader,
  reconciledKind: KindRef,
) => Iterable<string | MappedObject>;

/** Maps to the object that the label names, in the namespace of the watched object. */
export function byLabel(label: string): Mapper {
  return ({ metadata }) => {
    const name = metadata.labels?.[label];
    return name ? [name] : [];
  };
}

/**
 * Maps to all objects of the reconciled kind, in all namespaces.
 *
 * For watched objects that change rarely, such as a configuration that all share: each change reconciles everything.
 * Narrow frequent changes by a predicate: `Watches(Node, allObjects(), { predicate: labelsChanged })`.
 */
export function allObjects(): Mapper {
  return (_, cache, reconciledKind) => cache.list(reconciledKind).map(({ metadata }) => metadata);
}
