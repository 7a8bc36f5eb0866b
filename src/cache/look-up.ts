import type { IndexMatch } from '../api/selection/cache-index.js';
import { fieldValues, pathSegments } from '../api/selection/field-values.js';
import type { IndexFunction, IndexUse } from './indexer.js';

/** A value in an index of a store: selects the objects that have it. */
export interface LookUp extends IndexUse {
  readonly value: string;
}

export function inNamespace(namespace: string): LookUp {
  return { id: 'namespace', valuesOf: ({ metadata }) => [metadata.namespace ?? ''], value: namespace };
}

/** The objects with an owner reference to the uid, whether or not it is the controller. */
export function ownedBy(uid: string): LookUp {
  const valuesOf: IndexFunction = ({ metadata }) => metadata.ownerReferences?.map((owner) => owner.uid) ?? [];
  return { id: 'owner', valuesOf, value: uid };
}

export function withLabel(label: string, value: string): LookUp {
  const valuesOf: IndexFunction = ({ metadata: { labels } }) => {
    const found = labels && Object.hasOwn(labels, label) ? labels[label] : undefined;
    return found === undefined ? [] : [found];
  };
  return { id: `label ${label}`, valuesOf, value };
}

/** The objects that have the value at the path, or at one of several places if the path passes a list. */
export function withField(path: string, value: string): LookUp {
  const segments = pathSegments(path);
  return { id: `field ${path}`, valuesOf: (object) => fieldValues(object, segments), value };
}

export function inIndex({ by, value }: IndexMatch): LookUp {
  return { id: by, valuesOf: by.valuesOf, value };
}
