import type { KubeObject, OwnerReference, ReadonlyDeep } from '../api/kube-object.js';
import { deepEqual } from '../base/deep-equal.js';
import { isJsonObject, objectAt, without, type JsonObject } from '../base/json-object.js';
import { stringifyJson } from '../base/json.js';
import { decodeFieldSet, haveEqualFields, isFieldSetOf, type FieldSet } from './field-set.js';
import { managersOf, type ManagedFields } from './field-ownership.js';

/** The fields of an object that a field manager owns by server-side apply. */
export interface AppliedFields {
  readonly manager: string;
  /** The version of the kind that the fields belong to. */
  readonly apiVersion: string;
  /** Without the owner references, which are whole. Shared by all objects with the same fields. */
  readonly fields: FieldSet;
  /** The uids of the owner references. */
  readonly owners: readonly string[];
}

const MOST_SETS = 1_000;

/** The members of metadata that have no owner. */
const IDENTITY = [
  ...['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink'],
] as const;

/**
 * Reads the fields that managers have applied to objects.
 *
 * The objects of one class usually have the same fields, so each set is kept once. Owner references differ from object to
 * object and are therefore not in the sets.
 */
export class AppliedFieldsReader {
  /** By their FieldsV1 as JSON. */
  private readonly sets = new Map<string, FieldSet | undefined>();

  /** Returns what the selected managers have applied; undefined if that cannot be decided for one of them. */
  read(
    object: ReadonlyDeep<Pick<KubeObject, 'metadata'>>,
    isSelected: (manager: string) => boolean,
  ): readonly AppliedFields[] | undefined {
    const entries = managersOf(object).filter(({ manager = '', operation, subresource }) => {
      return operation === 'Apply' && !subresource && isSelected(manager);
    });
    const applied = entries.map((entry) => this.decode(entry)).filter((decoded) => decoded !== undefined);
    const managers = new Set(applied.map(({ manager }) => manager));
    return managers.size === entries.length ? applied : undefined;
  }

  private decode({ manager = '', apiVersion = '', fieldsV1 }: ManagedFields): AppliedFields | undefined {
    const { 'f:metadata': _, ...members } = objectAt({ fieldsV1 }, 'fieldsV1');
    const { 'f:ownerReferences': references = {}, ...metadata } = objectAt(fieldsV1, 'f:metadata');
    const hasMetadata = Object.keys(metadata).some((element) => element !== '.');
    const fields = this.shared({ ...members, ...(hasMetadata && { 'f:metadata': metadata }) });
    const owners = uidsOf(references);
    return fields && owners && { manager, apiVersion, fields, owners };
  }

  private shared(fieldsV1: JsonObject): FieldSet | undefined {
    const text = stringifyJson(fieldsV1);
    if (this.sets.has(text)) return this.sets.get(text);
    if (this.sets.size >= MOST_SETS) this.sets.clear();
    const set = decodeFieldSet(fieldsV1);
    this.sets.set(text, set);
    return set;
  }
}

/**
 * Returns whether an apply of an object would change nothing: the manager owns exactly its fields, and the present object
 * has their values. Also returns false if that cannot be decided, for example because the server has stored a quantity in
 * another notation.
 *
 * @param desired the object as it is sent, without undefined members
 */
export function isAppliedTo(present: ReadonlyDeep<Pick<KubeObject, 'metadata'>>, applied: AppliedFields, desired: JsonObject): boolean {
  const { apiVersion, kind: _, metadata: given, ...members } = desired;
  if (apiVersion !== applied.apiVersion || !isJsonObject(given)) return false;
  const { ownerReferences = [], ...metadata } = without(given, ...IDENTITY);
  const object = { ...members, ...(Object.keys(metadata).length > 0 && { metadata }) };
  return (
    hasReferences(present, applied, ownerReferences as readonly OwnerReference[]) &&
    isFieldSetOf(applied.fields, object) &&
    haveEqualFields(applied.fields, object, present)
  );
}

function hasReferences(
  { metadata }: ReadonlyDeep<Pick<KubeObject, 'metadata'>>,
  { owners }: AppliedFields,
  references: readonly OwnerReference[],
): boolean {
  const isApplied = (reference: OwnerReference): boolean =>
    owners.includes(reference.uid) && metadata.ownerReferences?.some((other) => deepEqual(other, reference)) === true;
  return references.length === owners.length && references.every(isApplied);
}

/** Returns undefined if owner references are not owned as a whole. */
function uidsOf(references: unknown): readonly string[] | undefined {
  const set = decodeFieldSet(references);
  const uids = set?.items.flatMap(([{ uid }, { isWhole }]) => (typeof uid === 'string' && isWhole ? uid : []));
  return set && set.members.length + set.values.length === 0 && uids?.length === set.items.length ? uids : undefined;
}
