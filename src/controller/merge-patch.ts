import { deepEqual } from '../base/deep-equal.js';
import { ownMember } from '../base/own-member.js';
import { setMember } from '../base/set-member.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * The JSON merge patch (RFC 7386) that turns `from` into `to`, or undefined when they are equal.
 *
 * A member that is undefined counts as absent. Lists are replaced whole.
 */
export function mergePatch(from: unknown, to: unknown): unknown {
  if (deepEqual(from, to)) return undefined;
  if (!isObject(to)) return to;
  const before: Members = isObject(from) ? from : {};
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(before))
    if (before[key] !== undefined && ownMember(to, key) === undefined) setMember(patch, key, null);
  for (const key of Object.keys(to)) {
    const change = to[key] === undefined ? undefined : mergePatch(ownMember(before, key), to[key]);
    if (change !== undefined) setMember(patch, key, change);
  }
  return patch;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
