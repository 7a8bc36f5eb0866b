import { UintLiteral } from '../syntax/expression.js';
import { CelError, CelOptional, type CelList, type CelMap, type CelValue } from '../values/cel-value.js';
import { CelDuration } from '../../formats/duration.js';
import type { CelFunction } from './cel-function.js';
import { plainKey } from './list-functions.js';

function some(value: CelValue | undefined): CelOptional {
  return value === undefined ? CelOptional.none : new CelOptional(value);
}

function valueOf({ value }: CelOptional): CelValue {
  if (value === undefined) throw new CelError('optional.none() dereference');
  return value;
}

const ZEROS = new Set<CelValue>([null, false, '', 0, 0n]);

function isZero(value: CelValue): boolean {
  if (ZEROS.has(value)) return true;
  if (value instanceof UintLiteral) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanos === 0n;
  if (value instanceof CelOptional) return value.value === undefined;
  return sizeOf(value) === 0;
}

function sizeOf(value: CelValue): number | undefined {
  if (value instanceof Map) return value.size;
  return Array.isArray(value) || value instanceof Uint8Array ? value.length : undefined;
}

function present(list: CelList): CelList {
  return list.flatMap((item) => (item instanceof CelOptional && item.value !== undefined ? [item.value] : []));
}

const item = (list: CelList, at: bigint): CelOptional => (at < 0n ? CelOptional.none : some(list[Number(at)]));
const entry = (map: CelMap, key: CelValue): CelOptional => some(map.get(plainKey(key)));
const within =
  (read: (collection: never, key: never) => CelOptional): CelFunction =>
  (collection: CelOptional, key: never) =>
    collection.value === undefined ? CelOptional.none : read(collection.value as never, key);

export const OPTIONAL_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  optional_of: (value: CelValue) => new CelOptional(value),
  optional_ofNonZeroValue: (value: CelValue) => (isZero(value) ? CelOptional.none : new CelOptional(value)),
  optional_none: () => CelOptional.none,
  optional_value: valueOf,
  optional_hasValue: ({ value }: CelOptional) => value !== undefined,
  list_first: (list: CelList) => some(list[0]),
  list_last: (list: CelList) => some(list.at(-1)),
  optional_unwrap: present,
  optional_unwrapOpt: present,
  list_optindex_optional_int: item,
  optional_list_optindex_optional_int: within(item),
  optional_list_index_int: within(item),
  map_optindex_optional_value: entry,
  optional_map_optindex_optional_value: within(entry),
  optional_map_index_value: within(entry),
};
