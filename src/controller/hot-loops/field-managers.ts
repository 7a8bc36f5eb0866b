import type { KubeObject } from '../../api/objects/kube-object.js';
import { deepEqual } from '../../base/deep-equal.js';
import type { FieldPath } from '../../base/changed-fields.js';

/** metav1.ManagedFieldsEntry, as far as it is needed. */
interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly fieldsV1?: FieldSet;
}

interface FieldSet {
  readonly [key: string]: FieldSet;
}

/** The field managers that own a field of an object read from the server. */
export function fieldManagersOf(object: KubeObject, path: FieldPath): string[] {
  const { managedFields = [] } = object.metadata as { managedFields?: readonly ManagedFieldsEntry[] };
  const owners = managedFields.filter(({ fieldsV1 }) => fieldsV1 !== undefined && owns(fieldsV1, object, path));
  return [...new Set(owners.flatMap(({ manager }) => manager ?? []))];
}

/** The value of a field; undefined when it is absent. */
export function fieldValue(object: unknown, path: FieldPath): unknown {
  return path.reduce(memberOf, object);
}

/** Follows the path through a set; a member without members of its own stands for all below it. */
function owns(set: FieldSet, value: unknown, [step, ...rest]: FieldPath): boolean {
  if (step === undefined) return true;
  const child = memberOf(value, step);
  const found = typeof step === 'string' ? set[`f:${step}`] : itemSet(set, child, step);
  if (!found) return false;
  return Object.keys(found).length === 0 || owns(found, child, rest);
}

function memberOf(value: unknown, step: string | number): unknown {
  return (value as Readonly<Record<string | number, unknown>> | null | undefined)?.[step];
}

/** List items have keys, such as `k:{"name":"web"}`, values, such as `v:"a"`, or, rarely, indexes. */
function itemSet(set: FieldSet, item: unknown, index: number): FieldSet | undefined {
  const key = Object.keys(set).find((name) => {
    if (name.startsWith('k:')) return hasMembers(item, JSON.parse(name.slice(2)) as object);
    if (name.startsWith('v:')) return deepEqual(item, JSON.parse(name.slice(2)));
    return name === `i:${String(index)}`;
  });
  return key === undefined ? undefined : set[key];
}

function hasMembers(item: unknown, members: object): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const present = item as Readonly<Record<string, unknown>>;
  return Object.entries(members).every(([name, value]) => deepEqual(present[name], value));
}
