import { isJsonObject, type JsonObject } from './api-object.js';

/** Sets fields that are missing or null. */
export function setDefaults(target: JsonObject, defaults: Readonly<JsonObject>): void {
  for (const [key, value] of Object.entries(defaults))
    if (target[key] === undefined || target[key] === null) target[key] = value;
}

/** Returns the object in a field, after setting an empty one if it is missing. */
export function ensureObject(target: JsonObject, key: string): JsonObject {
  const present = target[key];
  if (isJsonObject(present)) return present;
  const made: JsonObject = {};
  target[key] = made;
  return made;
}
