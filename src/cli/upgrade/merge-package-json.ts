import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, textOf, type JsonObject } from '../../base/json-object.js';
import { OperatorError } from '../../base/operator-error.js';
import { ownMember } from '../../base/own-member.js';
import { setMember } from '../../base/set-member.js';
import { compareSemver } from './compare-semver.js';
import { mergeText } from './merge-text.js';

/** A merged package.json, and a line for each member that both sides changed. */
export interface MergedPackageJson {
  readonly text: string;
  readonly notes: readonly string[];
}

/**
 * Merges two edits of a package.json by its members.
 *
 * Where both sides changed a member, that of `ours` stays, except a dependency with a lower version than in `theirs`.
 * The order of members, the indentation and the line endings are those of `ours`.
 *
 * @throws OperatorError when `ours` is not a JSON object
 */
export function mergePackageJson(base: string, ours: string, theirs: string): MergedPackageJson {
  const mark = ours.startsWith('\uFEFF') ? '\uFEFF' : '';
  const [before, mine, other] = [parse(base), parse(ours.slice(mark.length)), parse(theirs)];
  const notes: string[] = [];
  const merged = mergeMembers(before, mine, other, [], notes);
  if (deepEqual(merged, mine)) return { text: ours, notes };
  return { text: byLines(base, ours, theirs, merged) ?? mark + inStyleOf(ours, merged), notes };
}

function parse(text: string): JsonObject {
  let cause: unknown;
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    cause = error;
  }
  const reason = cause instanceof Error ? cause.message : 'not an object';
  throw new OperatorError(`package.json is not valid JSON: ${reason}`, {
    code: 'E_CONFIG',
    hint: 'correct package.json, then run kindwright upgrade again',
    cause,
  });
}

/** The merge of the lines, which preserves all of the formatting, if it has the members of the other merge. */
function byLines(base: string, ours: string, theirs: string, merged: JsonObject): string | undefined {
  const lines = mergeText(base, ours, theirs, { ours: '', theirs: '' });
  if (lines?.conflicts !== 0) return undefined;
  try {
    return deepEqual(JSON.parse(lines.text.replace(/^\uFEFF/, '')), merged) ? lines.text : undefined;
  } catch {
    return undefined; // both sides appended a member to an object
  }
}

function inStyleOf(ours: string, merged: JsonObject): string {
  const [, indent = '  '] = /^\uFEFF?\s*\{\r?\n([ \t]+)"/.exec(ours) ?? [];
  const text = JSON.stringify(merged, undefined, indent) + (/\n\s*$/.test(ours) ? '\n' : '');
  return ours.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

function mergeMembers(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  path: readonly string[],
  notes: string[],
): JsonObject {
  const merged: JsonObject = {};
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const [before, mine, other] = [ownMember(base, name), ownMember(ours, name), ownMember(theirs, name)];
    const value = mergeMember(before, mine, other, [...path, name], notes);
    if (value !== undefined) setMember(merged, name, value);
  }
  return isDependencies(path) && isSorted(ours) ? sorted(merged) : merged;
}

/** An undefined value is a missing member. */
function mergeMember(
  before: unknown,
  mine: unknown,
  other: unknown,
  path: readonly string[],
  notes: string[],
): unknown {
  if (deepEqual(other, before) || deepEqual(mine, other)) return mine;
  if (deepEqual(mine, before)) return other;
  if (isJsonObject(mine) && isJsonObject(other))
    return mergeMembers(isJsonObject(before) ? before : {}, mine, other, path, notes);
  return choose(mine, other, path, notes);
}

function choose(mine: unknown, other: unknown, path: readonly string[], notes: string[]): unknown {
  const isNewer = isDependencies(path.slice(0, -1)) && isHigher(other, mine);
  const change = other === undefined ? 'removes it' : `has ${shown(other)}`;
  notes.push(
    isNewer
      ? `${path.join('.')} changes from ${shown(mine)} to ${shown(other)}, which is newer`
      : `${path.join('.')} stays ${shown(mine)}; the new scaffold ${change}`,
  );
  return isNewer ? other : mine;
}

function isDependencies(path: readonly string[]): boolean {
  return path.length === 1 && /^(?:d|devD|peerD|optionalD)ependencies$/.test(path[0] ?? '');
}

function isHigher(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && (compareSemver(a, b) ?? 0) > 0;
}

function shown(value: unknown): string {
  if (value === undefined) return 'removed';
  return typeof value === 'string' ? JSON.stringify(value) : textOf(value);
}

function isSorted(object: JsonObject): boolean {
  return Object.keys(object).every((name, index, names) => index === 0 || (names[index - 1] ?? '') < name);
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
