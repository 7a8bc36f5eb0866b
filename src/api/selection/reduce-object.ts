import { deepEqual } from '../../base/deep-equal.js';
import { setMember } from '../../base/set-member.js';
import { pathSegments } from './field-values.js';
import type { KubeObject, ObjectMeta, ReadonlyDeep } from '../objects/kube-object.js';

type Members = Readonly<Record<string, unknown>>;

/** The fields to keep of a value, by name; undefined: the whole value. */
type FieldTree = ReadonlyMap<string, FieldTree | undefined>;

export interface ReducedFields {
  readonly apiVersion: string;
  readonly kind: string;
  /** The paths of the fields to keep besides metadata; undefined: all. */
  readonly fields: readonly string[] | undefined;
  readonly keepAnnotations: boolean;
}

/**
 * Returns a function that copies the kept fields of an object. The copy shares the kept values with the object, so that
 * the rest of it can be freed.
 */
export function reducer(options: ReducedFields): (object: KubeObject) => KubeObject {
  const { apiVersion, kind, fields = [], keepAnnotations } = options;
  const tree = fieldTree(fields);
  return (object) => {
    // The strings of the kind are shared: a parsed object has its own copies of long ones.
    const reduced: KubeObject = { apiVersion, kind, metadata: reduceMetadata(object.metadata, keepAnnotations) };
    copyFields(tree, object as unknown as Members, reduced as unknown as Record<string, unknown>);
    return reduced;
  };
}

/** Returns whether two reduced states of an object differ in nothing but the resourceVersion and, unless kept, the generation. */
export function isSameReduced(
  a: ReadonlyDeep<KubeObject>,
  b: ReadonlyDeep<KubeObject>,
  comparesGeneration: boolean,
): boolean {
  const { resourceVersion, generation } = a.metadata;
  const metadata = { ...b.metadata, resourceVersion, ...(!comparesGeneration && { generation }) };
  return deepEqual(a, { ...b, metadata });
}

/** All members are set, because objects of one shape share their layout in memory. */
function reduceMetadata(metadata: ObjectMeta, keepAnnotations: boolean): ObjectMeta {
  const { name, namespace, uid, resourceVersion, creationTimestamp, labels, ownerReferences, generation } = metadata;
  const kept = { name, namespace, uid, resourceVersion, creationTimestamp, labels, ownerReferences, generation };
  const reduced = kept as ObjectMeta;
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers, annotations, generateName } = metadata;
  if (deletionTimestamp !== undefined) reduced.deletionTimestamp = deletionTimestamp;
  if (deletionGracePeriodSeconds !== undefined) reduced.deletionGracePeriodSeconds = deletionGracePeriodSeconds;
  if (finalizers !== undefined) reduced.finalizers = finalizers;
  if (generateName !== undefined) reduced.generateName = generateName;
  if (keepAnnotations && annotations !== undefined) reduced.annotations = annotations;
  return reduced;
}

function fieldTree(paths: readonly string[]): FieldTree {
  const tree = new Map<string, FieldTree | undefined>();
  const heads = Map.groupBy(paths.map(pathSegments), ([head = '']) => head);
  for (const [head, below] of heads) {
    const isWhole = below.some(({ length }) => length === 1);
    tree.set(head, isWhole ? undefined : fieldTree(below.map((segments) => segments.slice(1).join('.'))));
  }
  return tree;
}

function copyFields(tree: FieldTree, from: Members, to: Record<string, unknown>): void {
  for (const [name, below] of tree) {
    const value = Object.hasOwn(from, name) ? from[name] : undefined;
    if (value !== undefined) setMember(to, name, below ? pick(below, value) : value);
  }
}

function pick(tree: FieldTree, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => pick(tree, item));
  if (typeof value !== 'object' || value === null) return value;
  const picked = {};
  copyFields(tree, value as Members, picked);
  return picked;
}
