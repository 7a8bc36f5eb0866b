import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { ownMember } from '../../base/own-member.js';
import { setMember } from '../../base/set-member.js';

/**
 * Returns the JSON merge patch (RFC 7386) that turns `from` into `to`, or undefined when there is nothing to change.
 *
 * A member of `to` that is undefined or null counts as absent: a merge patch cannot set null. Lists are replaced whole.
 */
export function createMergePatch(from: unknown, to: unknown): unknown {
  if (deepEqual(from, to)) return undefined;
  if (!isJsonObject(to)) return to;
  const before: JsonObject = isJsonObject(from) ? from : {};
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(before)) if (isRemoved(before[key], ownMember(to, key))) setMember(patch, key, null);
  for (const key of Object.keys(to).filter((member) => !isAbsent(to[member]))) {
    const change = createMergePatch(ownMember(before, key), to[key]);
    if (change !== undefined) setMember(patch, key, change);
  }
  return isJsonObject(from) && Object.keys(patch).length === 0 ? undefined : patch;
}

function isRemoved(before: unknown, after: unknown): boolean {
  return before !== undefined && isAbsent(after) && after !== before;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
