import { isJsonObject } from './json-object.js';

/** Returns the value with the members of all its objects sorted by name, as Go writes maps. */
export function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortedMembers(value[name])]));
}
