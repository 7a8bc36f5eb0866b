import type { CacheIndex } from '../api/selection/cache-index.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import type { ObjectKey } from '../api/objects/object-key.js';
import { thrownError } from '../base/thrown-error.js';

/** Returns the index values of an object. An error is reported to readers of the index. */
export type IndexFunction = (object: KubeObject) => readonly string[];

/** The identity of an index within a store: a user's index, or the name of a built-in one such as `label app`. */
export type IndexId = string | CacheIndex;

/** An index function with the identity of its index. */
export interface IndexUse {
  readonly id: IndexId;
  readonly valuesOf: IndexFunction;
}

type Objects = ReadonlyMap<ObjectKey, KubeObject>;

const NO_KEYS: ReadonlySet<ObjectKey> = new Set();

/**
 * Keys of objects by the values of one index function.
 *
 * It may be built in several steps while objects change: adding an object twice, or removing one that was not added yet,
 * has no effect.
 */
class KeyIndex {
  private readonly keys = new Map<string, Set<ObjectKey>>();
  private readonly failures = new Map<ObjectKey, Error>();
  /** The objects that are not added yet. */
  private rest: Iterator<[ObjectKey, KubeObject], undefined> | undefined;

  constructor(
    private readonly valuesOf: IndexFunction,
    objects: Objects,
  ) {
    this.rest = objects.entries();
  }

  get isBuilt(): boolean {
    return this.rest === undefined;
  }

  /** Adds one more object; returns false if none is left. */
  buildStep(): boolean {
    const next = this.rest?.next();
    if (next?.value) this.add(...next.value);
    else this.rest = undefined;
    return this.rest !== undefined;
  }

  /** Continues with the objects of another map, of which those that differ are updated. */
  continueWith(objects: Objects): void {
    if (this.rest) this.rest = objects.entries();
  }

  /** Begins again, with the objects of another map. */
  restart(objects: Objects): void {
    this.keys.clear();
    this.failures.clear();
    this.rest = objects.entries();
  }

  /** @throws the error of the index function for one of the objects. */
  keysOf(value: string): ReadonlySet<ObjectKey> {
    for (const failure of this.failures.values()) throw failure;
    return this.keys.get(value) ?? NO_KEYS;
  }

  add(key: ObjectKey, object: KubeObject): void {
    for (const value of this.valuesIn(key, object)) {
      const keys = this.keys.get(value);
      if (keys) keys.add(key);
      else this.keys.set(value, new Set([key]));
    }
  }

  remove(key: ObjectKey, object: KubeObject): void {
    const values = this.valuesIn(key, object);
    this.failures.delete(key);
    for (const value of values) {
      const keys = this.keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.keys.delete(value);
    }
  }

  /** An error must not end the watch that brings the object. */
  private valuesIn(key: ObjectKey, object: KubeObject): readonly string[] {
    try {
      return this.valuesOf(object);
    } catch (error) {
      this.failures.set(key, thrownError(error));
      return [];
    }
  }
}

/**
 * The indexes of one store. Each is built on first use, or as soon as it is declared, and kept up to date from then on.
 *
 * `build` builds in steps; a read of an index builds the rest of it immediately.
 */
export class Indexer {
  private readonly indexes = new Map<IndexId, KeyIndex>();
  private readonly declared = new Set<IndexId>();

  /** @param limit the number of indexes to keep, apart from declared ones; beyond it the least recently used is dropped, and rebuilt on its next use. */
  constructor(private readonly limit = 32) {}

  /** Adds an index that is never dropped. */
  declare({ id, valuesOf }: IndexUse, objects: Objects): void {
    this.declared.add(id);
    if (!this.indexes.has(id)) this.indexes.set(id, new KeyIndex(valuesOf, objects));
  }

  drop(id: IndexId): void {
    this.declared.delete(id);
    this.indexes.delete(id);
  }

  /** Returns the keys of the objects that have the value. */
  keysOf(use: IndexUse, value: string, objects: Objects): ReadonlySet<ObjectKey> {
    const index = this.use(use, objects);
    while (!index.isBuilt) index.buildStep();
    return index.keysOf(value);
  }

  /** Adds an index that is to be read soon, and returns whether it is built. */
  prepare(use: IndexUse, objects: Objects): boolean {
    return this.use(use, objects).isBuilt;
  }

  get isBuilt(): boolean {
    for (const index of this.indexes.values()) if (!index.isBuilt) return false;
    return true;
  }

  /** Builds all indexes that are not built yet, one object per step. */
  *build(): Iterable<undefined> {
    for (let index = this.nextUnbuilt(); index; index = this.nextUnbuilt()) {
      index.buildStep();
      yield;
    }
  }

  update(key: ObjectKey, old: KubeObject | undefined, object: KubeObject | undefined): void {
    for (const index of this.indexes.values()) {
      if (old) index.remove(key, old);
      if (object) index.add(key, object);
    }
  }

  /** Continues with the objects of another map, of which those that differ are updated. */
  continueWith(objects: Objects): void {
    for (const index of this.indexes.values()) index.continueWith(objects);
  }

  /** Begins to build all indexes again, from the objects of another map. */
  restart(objects: Objects): void {
    for (const index of this.indexes.values()) index.restart(objects);
  }

  private use({ id, valuesOf }: IndexUse, objects: Objects): KeyIndex {
    const index = this.indexes.get(id) ?? this.create(valuesOf, objects);
    // Behind all others, so that the first is the least recently used.
    this.indexes.delete(id);
    this.indexes.set(id, index);
    return index;
  }

  private nextUnbuilt(): KeyIndex | undefined {
    for (const index of this.indexes.values()) if (!index.isBuilt) return index;
    return undefined;
  }

  private create(valuesOf: IndexFunction, objects: Objects): KeyIndex {
    for (const leastRecent of this.indexes.keys()) {
      if (this.indexes.size - this.declared.size < this.limit) break;
      if (!this.declared.has(leastRecent)) this.indexes.delete(leastRecent);
    }
    return new KeyIndex(valuesOf, objects);
  }
}
