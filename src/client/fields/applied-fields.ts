import type { KubeObject, OwnerReference, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, objectAt, without, type JsonObject } from '../../base/json-object.js';
import { stringifyJson } from '../../base/json.js';
import {
  decodeFieldSet,
  haveEqualFields,
  isFieldSetOf,
  isStored,
  type FieldSet,
  type IsUnownedList,
} from './field-set.js';
import { managersOf, type ManagedFields } from './field-ownership.js';

/** The fields of an object that a field manager owns by server-side apply. Objects with the same fields share one. */
export interface AppliedFields {
  readonly manager: string;
  /** The version of the kind that the fields belong to. */
  readonly apiVersion: string;
  /** Without the owner references. */
  readonly fields: FieldSet;
  /** True if the manager owns all owner references of the object, false if it owns none. */
  readonly ownsReferences: boolean;
}

const MOST_SETS = 1_000;

/** The members of metadata that have no owner. */
const IDENTITY = [
  ...['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink'],
] as const;

/**
 * Reads the fields that managers have applied to objects.
 *
 * The objects of one class usually have the same fields, so these are kept once. Owner references, which differ from object
 * to object, are therefore not among the fields.
 */
export class AppliedFieldsReader {
  /** By JSON. */
  private readonly known = new Map<string, AppliedFields | undefined>();

  /** Returns what the selected managers have applied; undefined if that cannot be decided for one of them. */
  read(
    object: ReadonlyDeep<Pick<KubeObject, 'metadata'>>,
    isSelected: (manager: string) => boolean,
  ): readonly AppliedFields[] | undefined {
    const entries = managersOf(object).filter(({ manager = '', operation, subresource }) => {
      return operation === 'Apply' && !subresource && isSelected(manager);
    });
    const applied = entries.map((entry) => this.decode(entry, object)).filter((decoded) => decoded !== undefined);
    const managers = new Set(applied.map(({ manager }) => manager));
    return managers.size === entries.length ? applied : undefined;
  }

  private decode(
    { manager = '', apiVersion = '', fieldsV1 }: ManagedFields,
    object: ReadonlyDeep<Pick<KubeObject, 'metadata'>>,
  ): AppliedFields | undefined {
    const { 'f:metadata': _, ...members } = objectAt({ fieldsV1 }, 'fieldsV1');
    const { 'f:ownerReferences': references = {}, ...metadata } = objectAt(fieldsV1, 'f:metadata');
    const hasMetadata = Object.keys(metadata).some((element) => element !== '.');
    const owned = uidsOf(references);
    const present = referencesOf(object).map(({ uid }) => uid);
    const ownsReferences = owned.length > 0;
    if (ownsReferences && !(owned.length === present.length && present.every((uid) => owned.includes(uid))))
      return undefined;
    const all = { ...members, ...(hasMetadata && { 'f:metadata': metadata }) };
    return this.shared(manager, apiVersion, all, ownsReferences);
  }

  private shared(
    manager: string,
    apiVersion: string,
    fieldsV1: JsonObject,
    ownsReferences: boolean,
  ): AppliedFields | undefined {
    const text = stringifyJson([manager, apiVersion, fieldsV1, ownsReferences]);
    if (this.known.has(text)) return this.known.get(text);
    if (this.known.size >= MOST_SETS) this.known.clear();
    const fields = decodeFieldSet(fieldsV1);
    const applied = fields && { manager, apiVersion, fields, ownsReferences };
    this.known.set(text, applied);
    return applied;
  }
}

/**
 * Returns whether an apply of an object would change nothing: the manager owns exactly its fields, and the present object
 * has their values. Also returns false if that cannot be decided, for example because the server has stored a quantity in
 * another notation.
 *
 * @param desired the object as it is sent, without undefined members
 * @param isUnowned true for the result of `unownedLists` of an earlier apply of the kind
 */
export function isAppliedTo(
  present: ReadonlyDeep<Pick<KubeObject, 'metadata'>>,
  applied: AppliedFields,
  desired: JsonObject,
  isUnowned: IsUnownedList,
): boolean {
  if (desired['apiVersion'] !== applied.apiVersion) return false;
  const { object, ownerReferences } = ownedParts(desired);
  return (
    hasReferences(present, applied, ownerReferences) &&
    isFieldSetOf(applied.fields, object, isUnowned) &&
    haveEqualFields(applied.fields, object, present, isStored)
  );
}

/**
 * Returns the paths of the empty lists in an applied object that own no field. These are the lists of type map and set, which
 * only the schema and the answer to an apply distinguish from atomic ones.
 *
 * @param fields the fields in the answer
 */
export function unownedLists(fields: FieldSet, desired: JsonObject): readonly string[] {
  const found: string[] = [];
  return isFieldSetOf(fields, ownedParts(desired).object, (path) => found.push(path) > 0) ? found : [];
}

/** The owner references of a desired object, and the other fields that a field manager can own. */
function ownedParts({ apiVersion: _apiVersion, kind: _kind, metadata: given, ...members }: JsonObject) {
  const { ownerReferences = [], ...metadata } = without(isJsonObject(given) ? given : {}, ...IDENTITY);
  const object = { ...members, ...(Object.keys(metadata).length > 0 && { metadata }) };
  return { object, ownerReferences: ownerReferences as readonly OwnerReference[] };
}

function hasReferences(
  present: ReadonlyDeep<Pick<KubeObject, 'metadata'>>,
  { ownsReferences }: AppliedFields,
  desired: readonly OwnerReference[],
): boolean {
  const owned = ownsReferences ? referencesOf(present) : [];
  const isOwned = (reference: OwnerReference): boolean => owned.some((other) => deepEqual(other, reference));
  return owned.length === desired.length && desired.every(isOwned);
}

function referencesOf({ metadata }: ReadonlyDeep<Pick<KubeObject, 'metadata'>>): ReadonlyDeep<OwnerReference[]> {
  return metadata.ownerReferences ?? [];
}

/** Returns one that no reference has for references that are not owned as a whole. */
function uidsOf(references: unknown): unknown[] {
  const items = decodeFieldSet(references)?.items ?? [];
  return items.map(([{ uid }, { isWhole }]) => (isWhole ? uid : undefined));
}
