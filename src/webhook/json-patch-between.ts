import { deepEqual } from '../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../base/json-object.js';
import { ownMember } from '../base/own-member.js';
import { setMember } from '../base/set-member.js';

/** An operation of a JSON patch: RFC 6902. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * Returns the JSON patch that makes the change from `before` to `after` in a third object, `raw`, of which `before` is a
 * copy with additional members: those that hydration filled in.
 *
 * Everything that did not change stays in `raw` as it is. Parents that `raw` lacks are added with the changed members
 * alone. A list of the same length is changed item by item; another list is replaced, with its unchanged items as in
 * `raw`.
 */
export function jsonPatchBetween(raw: JsonObject, before: JsonObject, after: JsonObject): PatchOperation[] {
  const patch: PatchOperation[] = [];
  addMembers(patch, raw, before, after, '');
  return patch;
}

function addMembers(
  patch: PatchOperation[],
  raw: JsonObject,
  before: JsonObject,
  after: JsonObject,
  path: string,
): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [ownMember(before, key), ownMember(after, key)];
    if (Object.is(from, to)) continue;
    const values = { raw: ownMember(raw, key), before: from, after: to };
    addValue(patch, values, `${path}/${escaped(key)}`, Object.hasOwn(raw, key));
  }
}

interface Values {
  readonly raw: unknown;
  readonly before: unknown;
  readonly after: unknown;
}

function addValue(patch: PatchOperation[], values: Values, path: string, isPresent: boolean): void {
  const { raw, before, after } = values;
  if (isJsonObject(raw) && isJsonObject(before) && isJsonObject(after)) {
    addMembers(patch, raw, before, after, path);
    return;
  }
  if (deepEqual(before, after)) return;
  if (after === undefined) {
    if (isPresent) patch.push({ op: 'remove', path });
  } else if (isItemwise(values)) addItems(patch, values, path);
  else if (isPresent) patch.push({ op: 'replace', path, value: replacement(values) });
  else {
    const value = changedPart(before, after);
    if (value !== undefined) patch.push({ op: 'add', path, value });
  }
}

/** Reports whether all changed items are objects before and after, at the same index. */
function isItemwise({ raw, before, after }: Values): boolean {
  if (!Array.isArray(raw) || !Array.isArray(before) || !Array.isArray(after) || before.length !== after.length)
    return false;
  return after.every(
    (item, index) => deepEqual(before[index], item) || [raw[index], before[index], item].every(isJsonObject),
  );
}

function addItems(patch: PatchOperation[], { raw, before, after }: Values, path: string): void {
  const [raws, befores] = [raw as unknown[], before as unknown[]];
  for (const [index, item] of (after as unknown[]).entries())
    addValue(patch, { raw: raws[index], before: befores[index], after: item }, `${path}/${index}`, true);
}

/** The new value, with the unchanged items of a list as they were. */
function replacement({ raw, before, after }: Values): unknown {
  if (!Array.isArray(raw) || !Array.isArray(before) || !Array.isArray(after)) return after;
  return after.map((item: unknown, index) => {
    const same = deepEqual(before[index], item) ? index : before.findIndex((each) => deepEqual(each, item));
    return same === -1 || same >= raw.length ? item : (raw[same] as unknown);
  });
}

/** The members that changed; undefined if none was added. Other values as a whole. */
function changedPart(before: unknown, after: unknown): unknown {
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const changed: JsonObject = {};
  for (const key of Object.keys(after)) {
    const [from, to] = [ownMember(before, key), ownMember(after, key)];
    const part = deepEqual(from, to) ? undefined : changedPart(from, to);
    if (part !== undefined) setMember(changed, key, part);
  }
  return Object.keys(changed).length > 0 ? changed : undefined;
}

/** A reference token of a JSON pointer: RFC 6901. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
