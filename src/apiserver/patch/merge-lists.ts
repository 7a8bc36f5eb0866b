import { goText } from '../apply/go-value.js';
import { StatusError } from '../errors/status-error.js';
import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { jsonTypeName } from '../schema/go-codec.js';
import type { MergeList, MergeType } from '../schema/merge-type.js';
import {
  DIRECTIVE,
  missingMergeKey,
  patchFailure,
  unknownDirective,
  withoutDirectives,
  wrongType,
} from './merge-directives.js';
import { strategyOf } from './patch-strategy.js';

type List = readonly unknown[];
type MergeMap = (type: MergeType, target: JsonObject, patch: JsonObject) => JsonObject;

interface Lists {
  readonly present: List;
  readonly patch: List;
  /** True if the patch lists values to delete. */
  readonly isDeletion: boolean;
}

/** Merges a patch's list into the object's list; `mergeMap` merges two items with the same key. */
export function mergeList(type: MergeList, { present, patch, isDeletion }: Lists, mergeMap: MergeMap): List {
  if (strategyOf(type) !== 'merge' && !isDeletion) return patch;
  if (present.length === 0 && patch.length === 0) return present;
  if (elementType([present, patch]) !== 'object') {
    if (isDeletion) return present.filter((item) => !patch.includes(item));
    return elementOrder([...new Set([...present, ...patch])], patch, present, type.mergeKey);
  }
  if (type.mergeKey === '') throw patchFailure('cannot merge lists without merge key for string');
  const [kept, items] = withoutSpecial(present as JsonObject[], patch as JsonObject[], type.mergeKey);
  const merged = mergeItems(type, kept, items, mergeMap);
  assertKeys(merged, items, type.mergeKey);
  return elementOrder(merged, items, kept, type.mergeKey);
}

interface Ordered {
  readonly order: unknown;
  readonly present: unknown;
  readonly patch: unknown;
}

/** Returns the list in the order of the patch; undefined without a list. */
export function orderedList(typeOf: () => MergeList, given: Ordered, mergeMap: MergeMap): List | undefined {
  const { present, patch } = given;
  const order = listIn(given.order);
  const [own, new_] = [present === undefined ? [] : listIn(present), patch === undefined ? [] : listIn(patch)];
  const type = typeOf();
  assertOrder(new_, order, type.mergeKey);
  if (present === undefined && patch === undefined) return undefined;
  const merged = mergedBeforeOrder(type, given, mergeMap);
  if (type.mergeKey !== '') assertKeys(merged, order, type.mergeKey);
  elementType([own, new_]);
  return elementOrder(merged, order, own, type.mergeKey);
}

function assertKeys(items: List, order: List, mergeKey: string): void {
  const odd = order.findIndex((item) => !isJsonObject(item));
  if (items.length > 0 && odd >= 0) throw patchFailure(`value for key ${odd} is not a map`);
  for (const item of [...items, ...order]) keyOf(item, mergeKey);
}

function mergedBeforeOrder(type: MergeList, { present, patch }: Ordered, mergeMap: MergeMap): List {
  if (patch === undefined) return present as List;
  if (present === undefined) return withoutDirectives(patch as List);
  return mergeList(type, { present: present as List, patch: patch as List, isDeletion: false }, mergeMap);
}

/** Applies the items with a directive. */
function withoutSpecial(
  present: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): [kept: JsonObject[], patch: JsonObject[]] {
  let kept = [...present];
  let isReplaced = false;
  const items: JsonObject[] = [];
  for (const item of patch) {
    const directive = item[DIRECTIVE];
    if (directive === undefined) items.push(item);
    else if (directive === 'delete') {
      const key = keyOf(item, mergeKey);
      kept = kept.filter((other) => other[mergeKey] !== key);
    } else if (directive === 'replace') isReplaced = true;
    else if (directive === 'merge') throw patchFailure('merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, item);
  }
  return isReplaced ? [items, []] : [kept, items];
}

function mergeItems(
  { mergeKey, item: type }: MergeList,
  present: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeMap: MergeMap,
): List {
  const merged = [...present];
  for (const item of patch) {
    const key = keyOf(item, mergeKey);
    const index = merged.findIndex((other) => other[mergeKey] === key);
    const other = merged[index];
    if (other) merged[index] = mergeMap(type, other, item);
    else merged.push(item); // with its nulls
  }
  return merged;
}

function keyOf(item: unknown, mergeKey: string): unknown {
  if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item);
  if (!Object.hasOwn(item, mergeKey)) throw missingMergeKey(item, mergeKey);
  return item[mergeKey];
}

function listIn(value: unknown): List {
  if (!Array.isArray(value)) throw wrongType('[]interface {}', value);
  return value as List;
}

/** Checks that the order contains the items of the patch in the same order. */
function assertOrder(patch: List, order: List, mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const named = mergeKey === '' ? patch : patch.filter((item) => !isDeleted(item));
  let next = 0;
  let at = 0;
  while (next < named.length && at < order.length) {
    const item = named[next];
    if (isJsonObject(item) && DIRECTIVE in item) {
      next++;
      continue;
    }
    if (isSame(item, order[at], mergeKey)) next++;
    at++;
  }
  if (next >= named.length) return;
  const [shown, wanted] = [goText(patch), goText(order)];
  throw patchFailure(`The order in patch list:\n${shown}\n doesn't match $setElementOrder list:\n${wanted}\n`);
}

function isSame(a: unknown, b: unknown, mergeKey: string): boolean {
  return mergeKey === '' ? a === b : keyOf(a, mergeKey) === keyOf(b, mergeKey);
}

function isDeleted(item: unknown): boolean {
  if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item);
  return item[DIRECTIVE] === 'delete';
}

/**
 * Returns the common type of all values.
 * @throws StatusError when types differ or are not supported
 */
function elementType(lists: readonly List[]): string {
  const [type, ...others] = new Set(lists.flat().map(jsonTypeName));
  if (type === undefined) throw patchFailure('no elements in any of the given slices');
  if (type === 'array')
    throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  if (others.length > 0) throw patchFailure(`list element types are not identical: ${goText(lists)}`);
  return type;
}

/**
 * Orders items like the patch; items that only the server has stay before the first listed item that they preceded.
 * Equivalent to normalizeElementOrder of apimachinery's patch.go.
 */
function elementOrder(items: List, wanted: List, former: List, mergeKey: string): List {
  const keyOf = (item: unknown): unknown => (mergeKey !== '' && isJsonObject(item) ? item[mergeKey] : item);
  const place = (list: List, item: unknown): number => list.findIndex((other) => keyOf(other) === keyOf(item));
  const by = (list: List) => (a: unknown, b: unknown) => place(list, a) - place(list, b);
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
