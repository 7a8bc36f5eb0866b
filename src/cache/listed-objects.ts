import type { KubeObject } from '../api/objects/kube-object.js';
import type { ChangeOf } from '../api/events/object-event.js';
import { objectKey, type ObjectKey } from '../api/objects/object-key.js';
import { deepEqual } from '../base/deep-equal.js';
import type { Store } from './store.js';

/** The largest number of stored objects that are passed over to find an object of the list. */
const LONGEST_SKIP = 100;

/**
 * The objects of a list, compared with a store while they arrive.
 *
 * At the end of a list the store changes in one turn of the event loop, because reads must never see half of a list. This
 * turn is short, because the objects were compared before it; those that have changed in the store meanwhile are compared
 * again.
 */
export class ListedObjects<T extends KubeObject = KubeObject> {
  readonly byKey = new Map<ObjectKey, T>();
  private changes: ChangeOf<T>[] = [];
  /** The number of listed objects that the store has, apart from touched ones. */
  private found = 0;
  /** The keys to compare again. */
  private readonly touched = new Set<ObjectKey>();
  /**
   * Walks along the store. Lists have the order of the previous one, which is that of the store except for objects created
   * since, so most objects are the next one and need no look-up.
   */
  private readonly walk: Iterator<[ObjectKey, T], undefined>;
  private next: [ObjectKey, T] | undefined;
  private readonly skipped = new Set<ObjectKey>();

  /**
   * @param isInitial true for the first list of the store
   * @param inFull true to compare also the content of objects with equal uid and version
   */
  constructor(
    private readonly store: Store<T>,
    private readonly isInitial: boolean,
    private readonly inFull: boolean,
  ) {
    this.walk = store.entries();
    this.advance();
  }

  /**
   * Returns the stored object if it is in the same state, otherwise the given one, so that pages that are being read hold no
   * second copy of what has not changed.
   */
  reuse(object: T): T {
    const old = this.store.get(objectKey(object));
    return old && isSame(old, object, this.inFull) ? old : object;
  }

  /** Adds the next object of the list. An unchanged one is not kept twice: the stored one takes its place. */
  add(object: T): void {
    const key = objectKey(object);
    const old = this.storedAt(key);
    const { size } = this.byKey;
    this.byKey.set(key, object);
    if (this.byKey.size === size) this.touch(key); // listed twice
    if (this.touched.size === 0 || !this.touched.has(key)) this.compare(key, old, object);
  }

  /** Removes an object that was deleted while the list arrived. */
  remove(key: ObjectKey): void {
    this.touch(key);
    this.byKey.delete(key);
  }

  /** Must be called before a key of the store changes. */
  touch(key: ObjectKey): void {
    if (this.touched.has(key)) return;
    this.touched.add(key);
    if (this.byKey.has(key) && this.store.get(key)) this.found -= 1;
  }

  /** Returns the changes from the store to the list, deletions first. To be called once. */
  finish(): readonly ChangeOf<T>[] {
    if (this.touched.size > 0) this.changes = this.changes.filter(({ object }) => !this.touched.has(objectKey(object)));
    for (const key of this.touched) {
      const object = this.byKey.get(key);
      if (object) this.compare(key, this.store.get(key), object);
    }
    return this.found < this.store.size ? [...this.missing(), ...this.changes] : this.changes;
  }

  private compare(key: ObjectKey, old: T | undefined, object: T): void {
    if (!old) this.changes.push({ type: 'add', object, isInitial: this.isInitial });
    else {
      this.found += 1;
      if (!isSame(old, object, this.inFull)) pushChange(this.changes, old, object, this.inFull);
      else if (old !== object) this.byKey.set(key, old);
    }
  }

  private storedAt(key: ObjectKey): T | undefined {
    if (this.next?.[0] === key) return this.takeNext();
    const object = this.store.get(key);
    if (!object || this.skipped.delete(key)) return object;
    for (let skips = 0; skips < LONGEST_SKIP && this.skip(); skips++)
      if (this.next?.[0] === key) return this.takeNext();
    return object;
  }

  private takeNext(): T | undefined {
    const object = this.next?.[1];
    this.advance();
    return object;
  }

  /** Passes over the next stored object; returns false after the last one. */
  private skip(): boolean {
    if (!this.next) return false;
    this.skipped.add(this.next[0]);
    this.advance();
    return true;
  }

  private advance(): void {
    this.next = this.walk.next().value;
  }

  private *missing(): Iterable<ChangeOf<T>> {
    while (this.skip());
    for (const key of this.skipped.union(this.touched)) {
      const object = this.byKey.has(key) ? undefined : this.store.get(key);
      if (object) yield { type: 'delete', object };
    }
  }
}

function isSame(a: KubeObject, b: KubeObject, inFull: boolean): boolean {
  if (a === b) return true;
  const { uid, resourceVersion = '' } = a.metadata;
  if (uid !== b.metadata.uid || resourceVersion !== (b.metadata.resourceVersion ?? '')) return false;
  return !inFull || deepEqual(a, b);
}

/** Adds the change from one state of a key to another: an object of another uid is a delete and an add. */
export function pushChange<T extends KubeObject>(
  changes: ChangeOf<T>[],
  old: T,
  object: T,
  isCorrection = false,
): void {
  const isUpdate = old.metadata.uid === object.metadata.uid;
  if (isUpdate) changes.push({ type: 'update', object, old, ...(isCorrection && { isCorrection }) });
  else changes.push({ type: 'delete', object: old }, { type: 'add', object, isInitial: false });
}
