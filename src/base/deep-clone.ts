import { isForeign } from './dehydrate.js';
import { setMember } from './set-member.js';
import { copyDate, isDateObject } from './timestamp.js';

/**
 * Returns a deep copy of a JSON value that may contain Dates; several times faster than structuredClone.
 *
 * Values without a JSON form, such as a Map, are not copied but kept, so that a write of the copy reports them.
 */
export function deepClone<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => deepClone(item)) as T;
  const copy: Record<string, unknown> = {};
  const keys = Object.keys(value);
  // A Date and a Map have no members.
  if (keys.length === 0 && isDateObject(value)) return copyDate(value) as T;
  if (keys.length === 0 && isForeign(value)) return value;
  for (const key of keys) setMember(copy, key, deepClone((value as Record<string, unknown>)[key]));
  return copy as T;
}
