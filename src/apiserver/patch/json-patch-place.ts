import { goQuoted } from '../../base/go-quoted.js';
import { setMember } from '../../base/set-member.js';
import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { JsonPatchError } from './json-patch-error.js';

/** The location of an object member or list element, which may be missing. */
export type Place =
  { readonly object: JsonObject; readonly key: string } | { readonly list: unknown[]; readonly key: string };

/** Returns the location of a JSON pointer; text before its first slash is ignored. */
export function placeOf(root: unknown, pointer: string): Place | undefined {
  const [, ...keys] = pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  let place: Place | undefined;
  for (const [depth, key] of keys.entries()) {
    const container = depth === 0 ? root : place && valueOf(place);
    if (Array.isArray(container)) place = { list: container as unknown[], key };
    else if (isJsonObject(container)) place = { object: container, key };
    else return undefined;
  }
  return place;
}

function valueOf(place: Place): unknown {
  try {
    return getAt(place);
  } catch {
    return undefined;
  }
}

/** Returns the value; a missing member is null, a missing element is an error. */
export function getAt(place: Place): unknown {
  if ('object' in place) return Object.hasOwn(place.object, place.key) ? place.object[place.key] : null;
  return place.list[indexIn(place, place.list.length - 1)];
}

export function addAt(place: Place, value: unknown): void {
  if ('object' in place) setMember(place.object, place.key, value);
  else if (place.key === '-') place.list.push(value);
  else place.list.splice(newIndex(place, place.list.length), 0, value);
}

export function removeAt(place: Place): void {
  if ('list' in place) place.list.splice(indexIn(place, place.list.length - 1), 1);
  else if (!Object.hasOwn(place.object, place.key))
    throw new JsonPatchError(`Unable to remove nonexistent key: ${place.key}: missing value`);
  else Reflect.deleteProperty(place.object, place.key);
}

export function replaceAt(place: Place, value: unknown): void {
  if ('object' in place) setMember(place.object, place.key, value);
  else place.list[indexIn(place, place.list.length - 1)] = value;
}

function newIndex(place: { readonly key: string }, last: number): number {
  if (isInteger(place.key)) return indexIn(place, last);
  throw new JsonPatchError(`value was not a proper array index: '${place.key}': ${invalidSyntax(place.key)}`);
}

/** Parses an index like Go's Atoi, from 0 to `last`; -1 means `last`. */
function indexIn({ key }: { readonly key: string }, last: number): number {
  if (!isInteger(key)) throw new JsonPatchError(invalidSyntax(key));
  const index = Number(key);
  const counted = index < 0 ? index + last + 1 : index;
  if (counted >= 0 && counted <= last) return counted;
  throw new JsonPatchError(`Unable to access invalid index: ${index}: invalid index referenced`);
}

function isInteger(key: string): boolean {
  return /^[+-]?\d+$/.test(key);
}

function invalidSyntax(key: string): string {
  return `strconv.Atoi: parsing ${goQuoted(key)}: invalid syntax`;
}
