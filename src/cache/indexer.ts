import { fieldValues, pathSegments } from '../api/field-values.js';
import type { KubeObject } from '../api/kube-object.js';
import type { ObjectKey } from '../api/object-key.js';

/** Returns the index values of an object. */
export type IndexFunction = (object: KubeObject) => readonly string[];

export const byNamespace: IndexFunction = ({ metadata }) => [metadata.namespace ?? ''];

/** All owners, not only the controller. */
export const byOwnerUid: IndexFunction = ({ metadata }) => metadata.ownerReferences?.map(({ uid }) => uid) ?? [];

export function byLabelValue(label: string): IndexFunction {
  return ({ metadata: { labels } }) => {
    const value = labels && Object.hasOwn(labels, label) ? labels[label] : undefined;
    return value === undefined ? [] : [value];
  };
}

export function byFieldValue(path: string): IndexFunction {
  const segments = pathSegments(path);
  return (object) => fieldValues(object, segments);
}

/** Keys of objects by the values of one index function. */
export class Index {
  private readonly keys = new Map<string, Set<ObjectKey>>();

  constructor(private readonly valuesOf: IndexFunction) {}

  keysOf(value: string): ReadonlySet<ObjectKey> | undefined {
    return this.keys.get(value);
  }

  add(key: ObjectKey, object: KubeObject): void {
    for (const value of this.valuesOf(object)) {
      const keys = this.keys.get(value);
      if (keys) keys.add(key);
      else this.keys.set(value, new Set([key]));
    }
  }

  remove(key: ObjectKey, object: KubeObject): void {
    for (const value of this.valuesOf(object)) {
      const keys = this.keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.keys.delete(value);
    }
  }
}

/** The indexes of one store. Each is built on first use and kept up to date from then on. */
export class Indexer {
  private readonly indexes = new Map<string, Index>();

  /** @param limit the number of indexes to keep; beyond it the least recently used is dropped, and rebuilt on its next use. */
  constructor(private readonly limit = 32) {}

  index(name: string, valuesOf: IndexFunction, objects: ReadonlyMap<ObjectKey, KubeObject>): Index {
    const index = this.indexes.get(name) ?? this.build(valuesOf, objects);
    // Behind all others, so that the first is the least recently used.
    this.indexes.delete(name);
    this.indexes.set(name, index);
    return index;
  }

  update(key: ObjectKey, old: KubeObject | undefined, object: KubeObject | undefined): void {
    for (const index of this.indexes.values()) {
      if (old) index.remove(key, old);
      if (object) index.add(key, object);
    }
  }

  clear(): void {
    this.indexes.clear();
  }

  private build(valuesOf: IndexFunction, objects: ReadonlyMap<ObjectKey, KubeObject>): Index {
    const index = new Index(valuesOf);
    for (const [key, object] of objects) index.add(key, object);
    for (const leastRecent of this.indexes.keys()) {
      if (this.indexes.size < this.limit) break;
      this.indexes.delete(leastRecent);
    }
    return index;
  }
}
