import type { KubeObject } from '../api/kube-object.js';
import type { ChangeOf } from '../api/object-event.js';
import { objectKey, type ObjectKey } from '../api/object-key.js';
import { byFieldValue, byLabelValue, byNamespace, byOwnerUid, Indexer } from './indexer.js';

/** A change of more than this fraction of the objects makes new indexes cheaper. */
const LARGE_CHANGE = 4;

const NO_KEYS: ReadonlySet<ObjectKey> = new Set();

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
   * them are applied to the indexes, which else are built again on their next use.
   */
  replace(objects: Map<ObjectKey, T>, changes?: readonly ChangeOf<T>[]): void {
    const isSmall = changes && changes.length * LARGE_CHANGE < this.objects.size;
    this.objects = objects;
    if (!isSmall) this.indexer.clear();
    else for (const change of changes) this.index(change);
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

  inNamespace(namespace: string): ReadonlySet<ObjectKey> {
    return this.indexer.index('namespace', byNamespace, this.objects).keysOf(namespace) ?? NO_KEYS;
  }

  ownedBy(uid: string): ReadonlySet<ObjectKey> {
    return this.indexer.index('owner', byOwnerUid, this.objects).keysOf(uid) ?? NO_KEYS;
  }

  withLabel(label: string, value: string): ReadonlySet<ObjectKey> {
    return this.indexer.index(`label ${label}`, byLabelValue(label), this.objects).keysOf(value) ?? NO_KEYS;
  }

  /** The objects that have the value at the path, or at one of several places if the path passes a list. */
  withField(path: string, value: string): ReadonlySet<ObjectKey> {
    return this.indexer.index(`field ${path}`, byFieldValue(path), this.objects).keysOf(value) ?? NO_KEYS;
  }
}
