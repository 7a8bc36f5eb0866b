import { setMember } from './set-member.js';

/** Returns a deep copy of a JSON value; several times faster than structuredClone, which supports other values too. */
export function deepClone<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => deepClone(item)) as T;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setMember(copy, key, deepClone((value as Record<string, unknown>)[key]));
  return copy as T;
}
