import { isJsonObject } from '../objects/api-object.js';

/** Returns a patch's value for a new member without nulls, which would only remove members. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Removes null members at any depth, in place. */
export function dropNulls(value: unknown): void {
  if (Array.isArray(value)) value.forEach(dropNulls);
  if (!isJsonObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (member === null) Reflect.deleteProperty(value, key);
    else dropNulls(member);
  }
}
