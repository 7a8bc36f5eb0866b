import { isJsonObject } from '../objects/api-object.js';

/** A patch's value for what was not there before: nulls would remove, and there is nothing to remove. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Takes the members that are null from a value and all in it, in place. */
export function dropNulls(value: unknown): void {
  if (Array.isArray(value)) value.forEach(dropNulls);
  if (!isJsonObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (member === null) Reflect.deleteProperty(value, key);
    else dropNulls(member);
  }
}
