import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { ownMember } from '../../base/own-member.js';
import { setMember } from '../../base/set-member.js';

/**
 * Returns `latest` with the changes that turn `base` into `desired`: the state that results when both a reconcile, which
 * read `base`, and other writers have changed a status.
 *
 * Conditions are merged by type. Any other list that both have changed is added to `conflicts`, by its path, and has the
 * desired items.
 */
export function mergeStatus(
  base: unknown,
  desired: unknown,
  latest: unknown,
  conflicts: string[],
  path: readonly string[] = ['status'],
): unknown {
  if (deepEqual(base, desired) || deepEqual(desired, latest)) return latest;
  if (deepEqual(base, latest)) return desired;
  if ([base, desired, latest].some((value) => Array.isArray(value)))
    return mergeLists(base, desired, latest, conflicts, path);
  if (!isJsonObject(desired) || !isJsonObject(latest)) return desired;
  return mergeMembers(isJsonObject(base) ? base : {}, desired, latest, conflicts, path);
}

function mergeMembers(
  base: JsonObject,
  desired: JsonObject,
  latest: JsonObject,
  conflicts: string[],
  path: readonly string[],
): JsonObject {
  const merged: JsonObject = {};
  for (const key of new Set([...Object.keys(latest), ...Object.keys(desired)])) {
    const [was, wanted, is] = [base, desired, latest].map((members) => ownMember(members, key));
    const value = mergeStatus(was, wanted, is, conflicts, [...path, key]);
    if (value !== undefined) setMember(merged, key, value);
  }
  return merged;
}

/** Returns whether a merge patch replaces or removes a list of `latest`, or adds one. */
export function replacesList(patch: unknown, latest: unknown): boolean {
  if (Array.isArray(patch) || (patch === null && containsList(latest))) return true;
  if (!isJsonObject(patch)) return false;
  const members = isJsonObject(latest) ? latest : {};
  return Object.keys(patch).some((key) => replacesList(patch[key], ownMember(members, key)));
}

function containsList(value: unknown): boolean {
  return Array.isArray(value) || (isJsonObject(value) && Object.values(value).some(containsList));
}

function mergeLists(
  base: unknown,
  desired: unknown,
  latest: unknown,
  conflicts: string[],
  path: readonly string[],
): unknown {
  const [before, wanted, is] = path.at(-1) === 'conditions' ? [base, desired, latest].map(conditionsByType) : [];
  if (before && wanted && is) return mergeConditions(before, wanted, is);
  conflicts.push(path.join('.'));
  return desired;
}

type Conditions = ReadonlyMap<string, unknown>;

function mergeConditions(base: Conditions, desired: Conditions, latest: Conditions): unknown[] {
  const types = new Set([...latest.keys(), ...desired.keys()]);
  const merged = [...types].map((type) =>
    deepEqual(base.get(type), desired.get(type)) ? latest.get(type) : desired.get(type),
  );
  return merged.filter((condition) => condition !== undefined);
}

/** Returns undefined for a value that is not a list of conditions with one of each type. */
function conditionsByType(list: unknown): Conditions | undefined {
  const conditions = new Map<string, unknown>();
  if (list === undefined || list === null) return conditions;
  if (!Array.isArray(list)) return undefined;
  for (const condition of list as unknown[]) {
    const type = isJsonObject(condition) ? condition['type'] : undefined;
    if (typeof type !== 'string' || conditions.has(type)) return undefined;
    conditions.set(type, condition);
  }
  return conditions;
}
