import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { parseJson } from '../../base/json.js';
import { ownMember } from '../../base/own-member.js';

/** A decoded FieldsV1: the fields of a value that a manager owns. */
export interface FieldSet {
  /** True if the value is owned with everything in it. */
  readonly isWhole: boolean;
  readonly members: readonly (readonly [name: string, fields: FieldSet])[];
  /** The items of a list of type map, by the fields that identify them. */
  readonly items: readonly (readonly [key: JsonObject, fields: FieldSet])[];
  /** The items of a list of type set. */
  readonly values: readonly unknown[];
}

/** Decodes the FieldsV1 of an object or list; returns undefined if it has elements that this program does not know. */
export function decodeFieldSet(fieldsV1: unknown): FieldSet | undefined {
  const set = decodeElements(fieldsV1);
  return set && { ...set, isWhole: false };
}

/** An element without others below it is a whole value. */
function decodeElements(fieldsV1: unknown): FieldSet | undefined {
  if (!isJsonObject(fieldsV1)) return undefined;
  const elements = Object.entries(fieldsV1).filter(([element]) => element !== '.');
  const set = { isWhole: elements.length === 0, members: [], items: [], values: [] };
  const isKnown = elements.every(([element, below]) => addElement(set, element, decodeElements(below)));
  return isKnown ? set : undefined;
}

interface MutableFieldSet {
  readonly members: [string, FieldSet][];
  readonly items: [JsonObject, FieldSet][];
  readonly values: unknown[];
}

function addElement({ members, items, values }: MutableFieldSet, element: string, fields?: FieldSet): boolean {
  const [type, content] = [element.slice(0, 2), element.slice(2)];
  if (!fields) return false;
  if (type === 'f:') return members.push([content, fields]) > 0;
  const value = parsed(content);
  if (type === 'k:' && isJsonObject(value)) return items.push([value, fields]) > 0;
  return type === 'v:' && value !== undefined && fields.isWhole && values.push(value) > 0;
}

/** Returns whether the list at a path, such as `.spec.containers[].env`, owns no field while it is empty. */
export type IsUnownedList = (path: string) => boolean;

/**
 * Returns whether an apply of a value would own exactly these fields. Returns false for a value whose fields only the
 * schema determines, such as null.
 *
 * Not detected: a struct that was applied without members is owned as a whole, like an atomic one with members.
 *
 * @param isUnowned called for each empty list that is not in the set: true for lists of type map and set
 */
export function isFieldSetOf(fields: FieldSet, value: unknown, isUnowned: IsUnownedList, path = ''): boolean {
  if (fields.isWhole) return value !== undefined && value !== null;
  const { members, items, values } = fields;
  if (isJsonObject(value)) {
    const names = new Set(members.map(([name]) => name));
    const hasOwner = ([name, member]: [string, unknown]): boolean =>
      names.has(name) || !(Array.isArray(member) && member.length === 0 && isUnowned(`${path}.${name}`));
    const isOwned = ([name, below]: FieldSet['members'][number]): boolean =>
      isFieldSetOf(below, ownMember(value, name), isUnowned, `${path}.${name}`);
    return Object.entries(value).filter(hasOwner).length === members.length && members.every(isOwned);
  }
  if (!Array.isArray(value) || value.length !== items.length + values.length) return false;
  const ownedItem = ([key, below]: FieldSet['items'][number]): unknown => {
    const item = itemOf(value, key);
    return item !== undefined && isFieldSetOf(below, item, isUnowned, `${path}[]`) ? item : undefined;
  };
  const found = new Set<unknown>(items.map(ownedItem));
  const hasItems = found.size === items.length && !found.has(undefined);
  return hasItems && values.every((owned) => value.some((item) => deepEqual(item, owned)));
}

/**
 * Returns whether two values agree in all fields of a set, all of which `given` has. Its list items may lack those of
 * their key fields that have a default.
 */
export function haveEqualFields(
  fields: FieldSet,
  given: unknown,
  present: unknown,
  areEqual: typeof deepEqual = deepEqual,
): boolean {
  if (fields.isWhole) return areEqual(given, present);
  const { members, items, values } = fields;
  return (
    members.every(([name, below]) =>
      haveEqualFields(below, memberOf(given, name), memberOf(present, name), areEqual),
    ) &&
    items.every(([key, below]) => haveEqualItems(key, below, given, present, areEqual)) &&
    values.every((value) => Array.isArray(present) && present.some((item) => deepEqual(item, value)))
  );
}

/**
 * Returns whether an applied value is stored, also if it is empty and absent: the server does not store empty members of its
 * own kinds. A value that another client has removed is no longer owned.
 */
export function isStored(applied: unknown, present: unknown): boolean {
  const isEmpty = typeof applied === 'object' && applied !== null && Object.keys(applied).length === 0;
  return deepEqual(applied, present) || (present === undefined && isEmpty);
}

function haveEqualItems(
  key: JsonObject,
  fields: FieldSet,
  given: unknown,
  present: unknown,
  areEqual: typeof deepEqual,
): boolean {
  if (!Array.isArray(given) || !Array.isArray(present)) return false;
  const ours = itemOf(given, key);
  const [found, ...others] = present.filter((item) => hasKey(item, key)) as unknown[];
  return (
    ours !== undefined && found !== undefined && others.length === 0 && haveEqualFields(fields, ours, found, areEqual)
  );
}

function hasKey(item: unknown, key: JsonObject): boolean {
  return isJsonObject(item) && Object.keys(key).every((name) => deepEqual(ownMember(item, name), key[name]));
}

/** Returns the item with a key; it may lack key fields that have a default. Undefined if there are several. */
function itemOf(list: readonly unknown[], key: JsonObject): unknown {
  const exact = list.filter((item) => hasKey(item, key));
  const [item, ...others] = exact.length > 0 ? exact : list.filter((candidate) => mayHaveKey(candidate, key));
  return others.length === 0 ? item : undefined;
}

function mayHaveKey(item: unknown, key: JsonObject): boolean {
  if (!isJsonObject(item)) return false;
  return hasKey(item, Object.fromEntries(Object.entries(key).filter(([name]) => ownMember(item, name) !== undefined)));
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? ownMember(value, name) : undefined;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
