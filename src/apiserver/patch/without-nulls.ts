import { isJsonObject } from '../object.js';

/** A patch's value for what was not there before: nulls would remove, and there is nothing to remove. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutNulls(member)]));
}
