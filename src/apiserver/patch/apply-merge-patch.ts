import { ownMember } from '../../base/own-member.js';
import { setMember } from '../../base/set-member.js';
import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { withoutNulls } from './without-nulls.js';

/**
 * Applies a merge patch (RFC 7386) like the real server's library: an object that replaces another type keeps its
 * nulls.
 */
export function applyMergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, key);
    else setMember(result, key, merged(ownMember(result, key), value));
  }
  return result;
}

function merged(present: unknown, value: unknown): unknown {
  if (!isJsonObject(present)) return withoutNulls(value);
  return isJsonObject(value) ? applyMergePatch(present, value) : value;
}
