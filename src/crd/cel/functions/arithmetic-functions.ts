import { UintLiteral } from '../syntax/expression.js';
import { CelError, type CelList, type CelValue } from '../values/cel-value.js';
import { compareOrdered, ITEM_KEY, itemKeyOf } from '../values/equality.js';
import { CelDuration } from '../../formats/duration.js';
import { type CelTimestamp, inRange } from '../../formats/timestamp.js';
import type { CelFunction } from './cel-function.js';

const MAX_INT = (1n << 63n) - 1n;
const MAX_UINT = (1n << 64n) - 1n;

/** Returns the number if it is in the range of int; throws otherwise. */
export function int(value: bigint): bigint {
  if (value > MAX_INT || value < -MAX_INT - 1n) throw new CelError('integer overflow');
  return value;
}

export function uint(value: bigint): UintLiteral {
  if (value > MAX_UINT || value < 0n) throw new CelError('unsigned integer overflow');
  return new UintLiteral(value);
}

function duration(nanos: bigint): CelDuration {
  return new CelDuration(int(nanos));
}

function timestamp(nanos: bigint, offset: number): CelTimestamp {
  const found = inRange(nanos, offset);
  if (!found) throw new CelError('timestamp overflow');
  return found;
}

function divisor(value: bigint, what: string): bigint {
  if (value === 0n) throw new CelError(`${what} by zero`);
  return value;
}

/** Concatenates lists; in lists of type set and map, a later item replaces an equal earlier one. */
function concat(a: CelList, b: CelList): CelList {
  const key = itemKeyOf(a);
  if (!key) return [...a, ...b];
  const items = new Map([...a, ...b].map((item) => [key(item), item]));
  return Object.assign([...items.values()], { [ITEM_KEY]: key });
}

type Test = (order: number) => boolean;

const ORDERS: Readonly<Record<string, Test>> = {
  less: (order) => order < 0,
  less_equals: (order) => order <= 0,
  greater: (order) => order > 0,
  greater_equals: (order) => order >= 0,
};
const COMPARED =
  'bool int64 int64_double int64_uint64 uint64 uint64_double uint64_int64 double double_int64 double_uint64 string bytes timestamp duration'.split(
    ' ',
  );

const comparisons = Object.fromEntries(
  Object.entries(ORDERS).flatMap(([name, test]) =>
    COMPARED.map((types) => [
      `${name}_${types}`,
      (a: CelValue, b: CelValue): boolean => test(compareOrdered(a, b) ?? Number.NaN),
    ]),
  ),
);

export const ARITHMETIC_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  ...comparisons,
  logical_not: (value: boolean) => !value,
  add_bytes: (a: Uint8Array, b: Uint8Array) => Buffer.concat([a, b]),
  add_double: (a: number, b: number) => a + b,
  add_int64: (a: bigint, b: bigint) => int(a + b),
  add_uint64: (a: UintLiteral, b: UintLiteral) => uint(a.value + b.value),
  add_string: (a: string, b: string) => a + b,
  add_list: concat,
  add_duration_duration: (a: CelDuration, b: CelDuration) => duration(a.nanos + b.nanos),
  add_duration_timestamp: (a: CelDuration, b: CelTimestamp) => timestamp(a.nanos + b.nanos, b.offset),
  add_timestamp_duration: (a: CelTimestamp, b: CelDuration) => timestamp(a.nanos + b.nanos, a.offset),
  subtract_double: (a: number, b: number) => a - b,
  subtract_int64: (a: bigint, b: bigint) => int(a - b),
  subtract_uint64: (a: UintLiteral, b: UintLiteral) => uint(a.value - b.value),
  subtract_duration_duration: (a: CelDuration, b: CelDuration) => duration(a.nanos - b.nanos),
  subtract_timestamp_duration: (a: CelTimestamp, b: CelDuration) => timestamp(a.nanos - b.nanos, a.offset),
  subtract_timestamp_timestamp: (a: CelTimestamp, b: CelTimestamp) => duration(a.nanos - b.nanos),
  multiply_double: (a: number, b: number) => a * b,
  multiply_int64: (a: bigint, b: bigint) => int(a * b),
  multiply_uint64: (a: UintLiteral, b: UintLiteral) => uint(a.value * b.value),
  divide_double: (a: number, b: number) => a / b,
  divide_int64: (a: bigint, b: bigint) => int(a / divisor(b, 'division')),
  divide_uint64: (a: UintLiteral, b: UintLiteral) => uint(a.value / divisor(b.value, 'division')),
  modulo_int64: (a: bigint, b: bigint) => a % divisor(b, 'modulus'),
  modulo_uint64: (a: UintLiteral, b: UintLiteral) => uint(a.value % divisor(b.value, 'modulus')),
  negate_double: (a: number) => -a,
  negate_int64: (a: bigint) => int(-a),
};
