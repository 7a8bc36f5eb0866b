import { isJsonObject, type JsonObject } from './api-object.js';

/** Sets members that are absent or null. */
export function setDefaults(target: JsonObject, defaults: Readonly<JsonObject>): void {
  for (const [key, value] of Object.entries(defaults))
    if (target[key] === undefined || target[key] === null) target[key] = value;
}

/** The member object, made when absent. */
export function ensureObject(target: JsonObject, key: string): JsonObject {
  const present = target[key];
  if (isJsonObject(present)) return present;
  const made: JsonObject = {};
  target[key] = made;
  return made;
}
