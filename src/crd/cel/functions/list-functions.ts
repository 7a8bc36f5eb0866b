import { UintLiteral } from '../syntax/expression.js';
import { CelError, type CelList, type CelMap, type CelValue } from '../values/cel-value.js';
import { int, uint } from './arithmetic-functions.js';
import { compareOrdered, isEqual } from '../values/equality.js';
import { CelDuration } from '../../formats/duration.js';
import type { CelFunction } from './cel-function.js';

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

function order(a: CelValue, b: CelValue): number {
  const found = compareOrdered(a, b);
  if (found === undefined) throw new CelError('no such overload');
  return found;
}

function isSorted(list: CelList): boolean {
  return list.every((item, index) => index === 0 || order(list[index - 1] ?? item, item) <= 0);
}

function extreme(list: CelList, name: string, sign: number): CelValue {
  if (list.length === 0) throw new CelError(`${name} called on empty list`);
  return list.reduce((best, item) => (order(item, best) * sign > 0 ? item : best));
}

/** Sorts items by their keys; the sort is stable. */
function sortBy(list: CelList, keys: CelList): CelList {
  const pairs = list.map((item, index) => [item, keys[index] ?? null] as const);
  return pairs.sort(([, a], [, b]) => order(a, b)).map(([item]) => item);
}

function contains(list: CelList, item: CelValue): boolean {
  return list.some((one) => isEqual(one, item));
}

function isSubset(part: CelList, list: CelList): boolean {
  return part.every((item) => contains(list, item));
}

function slice(list: CelList, from: bigint, to: bigint): CelList {
  if (from < 0n || to < 0n) throw new CelError(`cannot slice(${from}, ${to}), negative indexes not supported`);
  if (from > to)
    throw new CelError(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (to > BigInt(list.length)) throw new CelError(`cannot slice(${from}, ${to}), list is length ${list.length}`);
  return list.slice(Number(from), Number(to));
}

function flatten(list: CelList, depth = 1n): CelList {
  if (depth < 0n) throw new CelError('level must be non-negative');
  return list.flatMap((item) => (Array.isArray(item) && depth > 0n ? flatten(item as CelList, depth - 1n) : [item]));
}

function range(count: bigint): CelList {
  if (count > 1_000_000n) throw new CelError('operation cancelled: actual cost limit exceeded');
  return Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index));
}

function itemAt(list: CelList, at: bigint): CelValue {
  const item = at < 0n ? undefined : list[Number(at)];
  if (item === undefined) throw new CelError(`index out of bounds: ${at}`);
  return item;
}

function valueAt(map: CelMap, key: CelValue): CelValue {
  const found = map.get(plainKey(key));
  if (found === undefined) throw new CelError(`no such key: ${String(plainKey(key))}`);
  return found;
}

/** Converts a number to the form in which map keys are stored. */
export function plainKey(key: CelValue): string | bigint | boolean {
  if (key instanceof UintLiteral) return key.value;
  if (typeof key === 'number') return Number.isInteger(key) ? BigInt(key) : `${key}`;
  return key as string | bigint | boolean;
}

/** Inserts new entries into a map; throws for existing keys. */
function insert(map: CelMap, more: CelMap): CelMap {
  for (const key of more.keys())
    if (map.has(key)) throw new CelError(`insert failed: key ${String(key)} already exists`);
  return new Map([...map, ...more]);
}

const size = (list: CelList | CelMap): bigint => BigInt('length' in list ? list.length : list.size);

const perType = Object.fromEntries(
  COMPARABLE.flatMap((type) => [
    [`list_${type}_is_sorted_bool`, isSorted],
    [`list_${type}_max_${type}`, (list: CelList) => extreme(list, 'max', 1)],
    [`list_${type}_min_${type}`, (list: CelList) => extreme(list, 'min', -1)],
    [`list_${type}_sort`, (list: CelList) => sortBy(list, list)],
    [`list_${type}_sortByAssociatedKeys`, sortBy],
  ]),
) as Record<string, CelFunction>;

export const LIST_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  ...perType,
  list_int_sum_int: (list: readonly bigint[]) => list.reduce((a, b) => int(a + b), 0n),
  list_uint_sum_uint: (list: readonly UintLiteral[]) => list.reduce((a, b) => uint(a.value + b.value), uint(0n)),
  list_double_sum_double: (list: readonly number[]) => list.reduce((a, b) => a + b, 0),
  list_duration_sum_duration: (list: readonly CelDuration[]) =>
    new CelDuration(list.reduce((total, { nanos }) => int(total + nanos), 0n)),
  list_a_index_of_int: (list: CelList, item: CelValue) => BigInt(list.findIndex((one) => isEqual(one, item))),
  list_a_last_index_of_int: (list: CelList, item: CelValue) => BigInt(list.findLastIndex((one) => isEqual(one, item))),
  list_slice: slice,
  list_flatten: flatten,
  list_flatten_int: flatten,
  lists_range: range,
  list_reverse: (list: CelList) => list.toReversed(),
  list_distinct: (list: CelList) => list.filter((item, index) => list.findIndex((one) => isEqual(one, item)) === index),
  list_sets_contains_list: (list: CelList, part: CelList) => isSubset(part, list),
  list_sets_equivalent_list: (a: CelList, b: CelList) => isSubset(a, b) && isSubset(b, a),
  list_sets_intersects_list: (a: CelList, b: CelList) => a.some((item) => contains(b, item)),
  in_list: (item: CelValue, list: CelList) => contains(list, item),
  in_map: (key: CelValue, map: CelMap) => map.has(plainKey(key)),
  index_list: itemAt,
  index_map: valueAt,
  size_list: size,
  list_size: size,
  size_map: size,
  map_size: size,
  mapInsertKeyValue: (map: CelMap, key: CelValue, value: CelValue) => insert(map, new Map([[plainKey(key), value]])),
  mapInsertMap: insert,
};
