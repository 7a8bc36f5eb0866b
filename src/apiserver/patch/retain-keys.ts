import { badRequest } from '../errors/status-error.js';
import type { JsonObject } from '../objects/api-object.js';

const RETAIN = '$retainKeys';

/** Removes what a patch does not say is to be kept, in place. @param prefixes of directives for members */
export function retainKeys(target: JsonObject, patch: JsonObject, prefixes: readonly string[]): void {
  if (!Object.hasOwn(patch, RETAIN)) return;
  const keys = patch[RETAIN];
  Reflect.deleteProperty(patch, RETAIN);
  if (!Array.isArray(keys)) throw malformed();
  for (const [key, value] of Object.entries(patch)) {
    const isDirective = prefixes.some((prefix) => key.startsWith(prefix));
    if (value !== null && !isDirective && !keys.includes(key)) throw malformed();
  }
  for (const key of Object.keys(target)) if (!keys.includes(key)) Reflect.deleteProperty(target, key);
}

function malformed(): Error {
  return badRequest('invalid patch format of retainKeys');
}
