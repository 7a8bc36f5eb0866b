import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { parseQuantity } from '../../api/schema/quantity.js';
import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, objectAt, type JsonObject } from '../../base/json-object.js';
import { ownMember } from '../../base/own-member.js';
import { haveEqualFields, type FieldSet } from '../../client/fields/field-set.js';
import { isSameApartFromStatus, isSameObject } from '../../api/objects/same-object.js';

type State = ReadonlyDeep<KubeObject>;

/**
 * Returns whether an object still has what was applied: the applied fields have the values that the server has answered
 * with. Without knowledge of the fields, the object differs from the answer at most in its status and in metadata that the
 * desired object does not contain, such as annotations of other controllers.
 */
export function keepsApplied(
  desired: Desired<KubeObject>,
  answer: State,
  present: State,
  fields: FieldSet | undefined,
): boolean {
  if (answer === present) return true;
  if (answer.metadata.uid !== present.metadata.uid) return false;
  if (fields) {
    const references = (object: State): unknown => sharedReferences(object, desired);
    return haveEqualFields(fields, answer, present) && deepEqual(references(answer), references(present));
  }
  const isSame = 'status' in desired ? isSameObject : isSameApartFromStatus;
  return isSame(withOwnMetadata(answer, desired), withOwnMetadata(present, desired));
}

/**
 * Adds the paths of desired fields that the answer of the server does not have, because admission or a default changed
 * them. Items that the server has added to a list are no difference, nor is another notation of a quantity or the absence of
 * an empty value.
 */
export function collectRejectedFields(desired: unknown, answer: unknown, rejected: string[], path = ''): void {
  if (answer === undefined && isEmpty(desired)) return;
  if (desired === undefined || desired === null) return;
  if (isJsonObject(desired) && isJsonObject(answer)) collectRejectedMembers(desired, answer, rejected, path);
  else if (isJsonObject(desired) || !isKept(desired, answer)) rejected.push(path);
}

function collectRejectedMembers(desired: JsonObject, answer: JsonObject, rejected: string[], path: string): void {
  for (const key of Object.keys(desired)) {
    if (path === '' && key === 'status') continue;
    collectRejectedFields(desired[key], ownMember(answer, key), rejected, path ? `${path}.${key}` : key);
  }
}

/** Kubernetes' own kinds are stored without such members. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return !value;
}

function isKept(desired: unknown, answer: unknown): boolean {
  if (!Array.isArray(desired)) return deepEqual(desired, answer) || isSameQuantity(desired, answer);
  const items: readonly unknown[] = Array.isArray(answer) ? answer : [];
  // Most items keep their place.
  return desired.every(
    (wanted, index) => isContained(wanted, items[index]) || items.some((item) => isContained(wanted, item)),
  );
}

function isSameQuantity(desired: unknown, answer: unknown): boolean {
  if (typeof answer !== 'string' || !['string', 'number', 'bigint'].includes(typeof desired)) return false;
  const quantity = parseQuantity(String(desired));
  return quantity !== undefined && quantity.nano === parseQuantity(answer)?.nano;
}

function isContained(desired: unknown, answer: unknown): boolean {
  const rejected: string[] = [];
  collectRejectedFields(desired, answer, rejected, 'item');
  return rejected.length === 0;
}

/**
 * Returns a Secret with its `stringData` as `data`: the server merges `stringData` into `data` without an owner, so that keys
 * which a later apply omits would stay. Other objects are returned as they are.
 */
export function withEncodedData({ group, kind }: KindRef, desired: Desired<KubeObject>): Desired<KubeObject> {
  const { stringData, ...rest } = desired as Desired<KubeObject> & { readonly stringData?: unknown };
  if (group !== '' || kind !== 'Secret' || !isJsonObject(stringData)) return desired;
  const entries = Object.entries(stringData);
  // The server rejects other values.
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return desired;
  const encoded = entries.map(([key, value]): [string, string] => [key, Buffer.from(value).toString('base64')]);
  return { ...rest, data: { ...objectAt(rest, 'data'), ...Object.fromEntries(encoded) } } as Desired<KubeObject>;
}

/** A copy with the metadata that the desired object contains. */
function withOwnMetadata(object: State, { metadata }: Desired<KubeObject>): State {
  const { name, namespace, finalizers = [] } = object.metadata;
  const own = {
    ...{ name, namespace },
    labels: sharedMembers(metadata, object.metadata, 'labels'),
    annotations: sharedMembers(metadata, object.metadata, 'annotations'),
    finalizers: metadata.finalizers?.filter((finalizer) => finalizers.includes(finalizer)),
    ownerReferences: sharedReferences(object, { metadata }),
  };
  return { ...object, metadata: own as State['metadata'] };
}

function sharedReferences(
  object: State,
  { metadata }: Pick<Desired<KubeObject>, 'metadata'>,
): State['metadata']['ownerReferences'] & object {
  const owners = new Set(metadata.ownerReferences?.map((reference) => reference.uid));
  return object.metadata.ownerReferences?.filter((reference) => owners.has(reference.uid)) ?? [];
}

function sharedMembers(desired: object, metadata: object, name: 'labels' | 'annotations'): JsonObject {
  const present = objectAt(metadata, name);
  return Object.fromEntries(Object.keys(objectAt(desired, name)).map((key) => [key, ownMember(present, key)]));
}
