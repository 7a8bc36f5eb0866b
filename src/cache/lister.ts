import { laterTurn } from '../base/turns.js';
import type { KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import { objectFilter, type ListerOptions } from '../api/selection/object-filter.js';
import { keyOf, type ObjectKey } from '../api/objects/object-key.js';
import { inIndex, inNamespace, ownedBy, withField, withLabel, type LookUp } from './look-up.js';
import type { Store } from './store.js';

/**
 * Reads the objects that informers hold, without a request.
 *
 * Guarantees: a read sees one state of the cache, never half of a relist. Namespace, owner, labels, fields and the
 * option `index` are looked up in indexes, which are built on first use; the objects of the smallest one are then
 * filtered. Before the informer has synced, reads return nothing.
 *
 * Objects are shared with all other readers, so their types are read-only. Informers with the option `freeze` enforce this
 * at run time too.
 */
export class Lister<T extends KubeObject = KubeObject> {
  /** @internal */
  constructor(
    private readonly stores: readonly Store<T>[],
    private readonly kind?: KindRef<T>,
  ) {}

  /** Combines several listers into one. */
  static over<T extends KubeObject>(listers: readonly Lister<T>[]): Lister<T> {
    return new Lister(
      listers.flatMap(({ stores }) => stores),
      listers[0]?.kind,
    );
  }

  get size(): number {
    return this.stores.reduce((sum, store) => sum + store.size, 0);
  }

  /** All objects, in no order, which need not be sorted. */
  *values(): Iterable<ReadonlyDeep<T>> {
    for (const store of this.stores) for (const object of store.values()) yield asReadOnly(object);
  }

  get(name: string, namespace?: string): ReadonlyDeep<T> | undefined {
    return this.getByKey(keyOf(name, namespace));
  }

  /** Returns the object of a key: `namespace/name`, or `name` for cluster scope. */
  getByKey(key: ObjectKey): ReadonlyDeep<T> | undefined {
    for (const store of this.stores) {
      const object = store.get(key);
      if (object) return asReadOnly(object);
    }
    return undefined;
  }

  /**
   * Returns the objects that match all options, sorted by namespace and name.
   *
   * @throws OperatorError (E_PART) for a field that the cached part of the kind does not have, (E_INDEX) for an index of
   * another kind, or with a function that has failed.
   */
  list(options: ListerOptions = {}): ReadonlyDeep<T>[] {
    const matches = objectFilter(this.kind, options);
    const found: ReadonlyDeep<T>[] = [];
    for (const store of this.stores) {
      for (const object of candidates(store, options)) if (matches(object)) found.push(asReadOnly(object));
    }
    return found.sort(byNamespaceAndName);
  }

  /**
   * Resolves when the indexes that `list` uses with these options are built, a few milliseconds at a time; undefined if
   * they are.
   *
   * @internal
   */
  prepare(options: ListerOptions): Promise<void> | undefined {
    const unbuilt = this.stores.filter((store) => store.size > MANY_OBJECTS && !isPrepared(store, options));
    return unbuilt.length === 0 ? undefined : buildInSlices(unbuilt);
  }
}

/** A `T` is a `ReadonlyDeep<T>`, but the compiler cannot infer this for a type parameter. */
function asReadOnly<T extends KubeObject>(object: T): ReadonlyDeep<T> {
  return object as ReadonlyDeep<T>;
}

/** Building an index of fewer objects takes less than 5 ms. */
const MANY_OBJECTS = 2000;

function isPrepared(store: Store, options: ListerOptions): boolean {
  // Each one, so that all of them are added.
  return [...lookUps(options)].map((lookUp) => store.prepare(lookUp)).every(Boolean);
}

async function buildInSlices(stores: readonly Store[]): Promise<void> {
  for (const store of stores) {
    let steps = 0;
    for (const _ of store.buildIndexes()) if (++steps % MANY_OBJECTS === 0) await laterTurn();
  }
}

/** A set of objects that contains all matches: that of the smallest index that applies. */
function candidates<T extends KubeObject>(store: Store<T>, options: ListerOptions): Iterable<T> {
  let smallest: ReadonlySet<ObjectKey> | undefined;
  for (const lookUp of lookUps(options)) {
    const keys = store.keysOf(lookUp);
    if (!smallest || keys.size < smallest.size) smallest = keys;
  }
  return smallest ? store.objectsOf(smallest) : store.values();
}

function* lookUps({ namespace, ownerUid, labels, labelSelector, where = {}, index }: ListerOptions): Iterable<LookUp> {
  if (ownerUid !== undefined) {
    yield ownedBy(ownerUid);
    return; // few objects have the same owner, so no further index is worth building
  }
  if (index) yield inIndex(index);
  const { matchLabels } = typeof labelSelector === 'object' ? labelSelector : {};
  for (const [label, value] of Object.entries({ ...matchLabels, ...labels })) yield withLabel(label, value);
  for (const [path, value] of Object.entries(where)) yield withField(path, String(value));
  if (namespace !== undefined) yield inNamespace(namespace);
}

function byNamespaceAndName(a: ReadonlyDeep<KubeObject>, b: ReadonlyDeep<KubeObject>): number {
  return compare(a.metadata.namespace ?? '', b.metadata.namespace ?? '') || compare(a.metadata.name, b.metadata.name);
}

/** Compares by code unit, which does not depend on the locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
