import { setMember } from '../../base/set-member.js';
import { deepEqual } from '../../base/deep-equal.js';
import { goText } from '../apply/go-value.js';
import { badRequest, StatusError } from '../errors/status-error.js';
import { isJsonObject, type JsonObject } from '../object.js';
import { withoutNulls } from './without-nulls.js';
import { jsonTypeName } from '../schema/go-codec.js';
import { UNTYPED, type MergeList, type MergeType } from '../schema/merge-type.js';

const DELETE_LIST = '$deleteFromPrimitiveList/';
const ORDER = '$setElementOrder/';
const RETAIN = '$retainKeys';
const DIRECTIVE = '$patch';

/** Kubernetes' strategic merge patch: lists merge by the merge keys of the type. */
export function strategicMergePatch(type: MergeType, target: JsonObject, patch: JsonObject): JsonObject {
  return mergeMaps(type, target, patch);
}

function memberType(type: MergeType, name: string): MergeType {
  return type.k === 'map' ? (type.field(name) ?? UNTYPED) : UNTYPED;
}

function mergeMaps(type: MergeType, target: JsonObject, patch: JsonObject): JsonObject {
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge')
    throw badRequest(`Unknown patch type found: ${JSON.stringify(directive)}`);
  const result: JsonObject = retained(target, patch[RETAIN]);
  for (const [key, value] of Object.entries(withoutDirectives(patch))) {
    if (key.startsWith(DELETE_LIST)) deletePrimitives(result, key.slice(DELETE_LIST.length), value);
    else if (!key.startsWith(ORDER)) mergeMember(type, result, key, value, patch[`${ORDER}${key}`]);
  }
  applyOrders(type, result, patch);
  return result;
}

/** Orders given for lists that the patch does not touch otherwise. */
function applyOrders(type: MergeType, result: JsonObject, patch: JsonObject): void {
  for (const [key, order] of Object.entries(patch)) {
    const name = key.slice(ORDER.length);
    if (key.startsWith(ORDER) && patch[name] === undefined) reorder(memberType(type, name), result, name, order);
  }
}

function retained(target: JsonObject, keys: unknown): JsonObject {
  if (!Array.isArray(keys)) return { ...target };
  return Object.fromEntries(Object.entries(target).filter(([key]) => keys.includes(key)));
}

function mergeMember(type: MergeType, result: JsonObject, key: string, value: unknown, order: unknown): void {
  const present = result[key];
  const member = memberType(type, key);
  if (value === null) Reflect.deleteProperty(result, key);
  else if (isJsonObject(value) && isJsonObject(present)) {
    const isAtomic = member.k === 'map' && member.patchStrategy.split(',').includes('replace');
    result[key] = isAtomic ? withoutDirectives(value) : mergeMaps(member, present, value);
  } else if (Array.isArray(value) && Array.isArray(present)) {
    result[key] = mergeLists(member, present as unknown[], value as unknown[], order);
  } else takeMember(result, key, withoutNulls(value));
}

/** Takes the patch's value as it is; one that is a directive itself leaves nothing. */
function takeMember(result: JsonObject, key: string, value: unknown): void {
  const [kept] = undirected([value]);
  if (kept === undefined) Reflect.deleteProperty(result, key);
  else setMember(result, key, kept);
}

/** The values without the objects among them, and in them, that carry a directive. */
function undirected(values: readonly unknown[]): unknown[] {
  return values
    .filter((value) => !(isJsonObject(value) && DIRECTIVE in value))
    .map((value) => {
      if (Array.isArray(value)) return undirected(value as unknown[]);
      if (!isJsonObject(value)) return value;
      const members = Object.entries(value).flatMap(([name, member]) =>
        undirected([member]).map((kept) => [name, kept] as const),
      );
      return Object.fromEntries(members);
    });
}

function mergeLists(type: MergeType, target: readonly unknown[], patch: readonly unknown[], order: unknown): unknown[] {
  if (type.k !== 'list' || !type.patchStrategy.split(',').includes('merge')) return patch.map(withoutDirectivesDeep);
  checkAlike(target, patch);
  if (type.mergeKey === '') {
    const merged = [...target];
    for (const item of patch) if (!merged.some((present) => deepEqual(present, item))) merged.push(item);
    return arrange(merged, listOr(order, patch), target, (item) => item);
  }
  return mergeByKey(type, target, patch, order);
}

/** Lists that merge hold values of one type; the real server takes it for a failure of its own when they do not. */
function checkAlike(target: readonly unknown[], patch: readonly unknown[]): void {
  const kinds = new Set([...target, ...patch].map(jsonTypeName));
  if (kinds.size > 1)
    throw new StatusError(500, '', `list element types are not identical: ${goText([target, patch])}`);
}

function listOr(value: unknown, fallback: readonly unknown[]): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : fallback;
}

function mergeByKey(type: MergeList, target: readonly unknown[], patch: readonly unknown[], order: unknown): unknown[] {
  const { mergeKey } = type;
  const items = patch.filter(isJsonObject);
  if (items.some((item) => item[DIRECTIVE] === 'replace')) {
    return items.filter((item) => item[DIRECTIVE] !== 'replace' || Object.keys(item).length > 1).map(withoutDirectives);
  }
  let merged = [...target];
  for (const item of items) {
    const key = item[mergeKey];
    if (key === undefined) throw missingMergeKey(item, mergeKey);
    const index = merged.findIndex((present) => isJsonObject(present) && deepEqual(present[mergeKey], key));
    const present = merged[index];
    if (item[DIRECTIVE] === 'delete')
      merged = merged.filter((other) => !(isJsonObject(other) && deepEqual(other[mergeKey], key)));
    else if (isJsonObject(present)) merged[index] = mergeMaps(type.item, present, item);
    else merged.push(withoutDirectives(item)); // as it is, nulls and all
  }
  return arrange(merged, listOr(order, patch), target, keyBy(mergeKey));
}

/** The real server takes it for a failure of its own. */
function missingMergeKey(item: JsonObject, mergeKey: string): StatusError {
  return new StatusError(500, '', `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

function keyBy(mergeKey: string): (item: unknown) => unknown {
  return (item) => (isJsonObject(item) ? item[mergeKey] : undefined);
}

/**
 * The items in the order the client gives them; what only the server has stands before the first of these that it
 * stood before. As patch.go's normalizeElementOrder has it.
 */
function arrange(
  items: readonly unknown[],
  wanted: readonly unknown[],
  former: readonly unknown[],
  keyOf: (item: unknown) => unknown,
): unknown[] {
  const place = (list: readonly unknown[], item: unknown): number =>
    list.findIndex((other) => deepEqual(keyOf(other), keyOf(item)));
  const by = (list: readonly unknown[]) => (a: unknown, b: unknown) => place(list, a) - place(list, b);
  const given = items.filter((item) => place(wanted, item) >= 0).sort(by(wanted));
  const kept = items.filter((item) => place(wanted, item) < 0).sort(by(former));
  const result: unknown[] = [];
  let next = 0;
  for (const item of given) {
    for (
      let own = kept[next];
      own !== undefined && isBefore(place(former, own), place(former, item));
      own = kept[++next]
    )
      result.push(own);
    result.push(item);
  }
  return [...result, ...kept.slice(next)];
}

function isBefore(a: number, b: number): boolean {
  return a >= 0 && b >= 0 && a < b;
}

function reorder(type: MergeType, result: JsonObject, name: string, order: unknown): void {
  const list = result[name];
  if (type.k !== 'list' || !Array.isArray(list) || !Array.isArray(order)) return;
  const keyOf = type.mergeKey === '' ? (item: unknown) => item : keyBy(type.mergeKey);
  result[name] = arrange(list as unknown[], order as unknown[], list as unknown[], keyOf);
}

function deletePrimitives(result: JsonObject, name: string, values: unknown): void {
  const list = result[name];
  if (!Array.isArray(list) || !Array.isArray(values)) return;
  result[name] = (list as unknown[]).filter((item) => !values.some((value) => deepEqual(value, item)));
}

function withoutDirectives(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== DIRECTIVE && key !== RETAIN));
}

function withoutDirectivesDeep(value: unknown): unknown {
  return isJsonObject(value) ? withoutDirectives(value) : value;
}
