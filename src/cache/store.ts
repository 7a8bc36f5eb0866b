import type { KubeObject } from '../api/objects/kube-object.js';
import type { ChangeOf } from '../api/events/object-event.js';
import { objectKey, type ObjectKey } from '../api/objects/object-key.js';
import { Indexer, type IndexId, type IndexUse } from './indexer.js';
import type { LookUp } from './look-up.js';

/** A change of more than this fraction of the objects makes new indexes cheaper. */
const LARGE_CHANGE = 4;
/** A change of more objects would block the event loop for more than a few milliseconds. */
const MOST_CHANGES = 2000;

/** The objects of one kind and scope by key, as they were parsed. They are shared and must not be changed. */
export class Store<T extends KubeObject = KubeObject> {
  private objects: Map<ObjectKey, T> = new Map<ObjectKey, T>();
  private readonly indexer = new Indexer();

  get size(): number {
    return this.objects.size;
  }

  get(key: ObjectKey): T | undefined {
    return this.objects.get(key);
  }

  values(): Iterable<T> {
    return this.objects.values();
  }

  entries(): MapIterator<[ObjectKey, T]> {
    return this.objects.entries();
  }

  set(key: ObjectKey, object: T): void {
    this.indexer.update(key, this.objects.get(key), object);
    this.objects.set(key, object);
  }

  delete(key: ObjectKey): void {
    const old = this.objects.get(key);
    if (!old) return;
    this.indexer.update(key, old, undefined);
    this.objects.delete(key);
  }

  /**
   * Replaces all objects with those of the map, which the store keeps. `changes` lead from the old objects to these; few of
   * them are applied to the indexes, which are otherwise built again, on their next use or by `buildIndexes`.
   */
  replace(objects: Map<ObjectKey, T>, changes?: readonly ChangeOf<T>[]): void {
    const isSmall = changes && changes.length < Math.min(this.objects.size / LARGE_CHANGE, MOST_CHANGES);
    this.objects = objects;
    if (!isSmall) {
      this.indexer.restart(objects);
      return;
    }
    this.indexer.continueWith(objects);
    for (const change of changes) this.index(change);
  }

  private index(change: ChangeOf<T>): void {
    const { type, object } = change;
    const old = type === 'update' ? change.old : type === 'delete' ? object : undefined;
    this.indexer.update(objectKey(object), old, type === 'delete' ? undefined : object);
  }

  /** Returns the objects of keys that an index has found. */
  *objectsOf(keys: Iterable<ObjectKey>): Iterable<T> {
    for (const key of keys) {
      const object = this.objects.get(key);
      if (object) yield object;
    }
  }

  /** Returns the keys of the objects that a look-up finds. @throws OperatorError (E_INDEX) if the user's index fails. */
  keysOf(lookUp: LookUp): ReadonlySet<ObjectKey> {
    return this.indexer.keysOf(lookUp, lookUp.value, this.objects);
  }

  /** Adds an index that is to be read soon, and returns whether it is built. */
  prepare(use: IndexUse): boolean {
    return this.indexer.prepare(use, this.objects);
  }

  /** Adds an index that is kept however rarely it is read. */
  declareIndex(use: IndexUse): void {
    this.indexer.declare(use, this.objects);
  }

  dropIndex(id: IndexId): void {
    this.indexer.drop(id);
  }

  get hasAllIndexes(): boolean {
    return this.indexer.isBuilt;
  }

  /** Builds all indexes that are not built yet, in short steps; they are correct if objects change between two steps. */
  buildIndexes(): Iterable<undefined> {
    return this.indexer.build();
  }
}
