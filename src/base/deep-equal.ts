import { isForeign } from './dehydrate.js';
import { ownMember } from './own-member.js';
import { isDateObject } from './timestamp.js';

/** Returns whether two JSON values that may contain Dates are equal; a missing member equals an undefined one. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b);
  return !Array.isArray(b) && equalMembers(a as Members, b as Members);
}

type Members = Readonly<Record<string, unknown>>;

function equalArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
}

function equalMembers(a: Members, b: Members): boolean {
  for (const key of Object.keys(a)) if (!deepEqual(a[key], ownMember(b, key))) return false;
  for (const key of Object.keys(b)) if (b[key] !== undefined && ownMember(a, key) === undefined) return false;
  return Object.keys(a).length > 0 || equalWithoutMembers(a, b);
}

/** A Date and a Map have no members. */
function equalWithoutMembers(a: object, b: object): boolean {
  if (isDateObject(a) || isDateObject(b))
    return isDateObject(a) && isDateObject(b) && Object.is(a.getTime(), b.getTime());
  return !isForeign(a) && !isForeign(b);
}
