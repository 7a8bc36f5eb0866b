import { UintLiteral } from '../syntax/expression.js';
import { CelObject, CelOptional, CelTypeName, type CelList, type CelMap, type CelValue } from './cel-value.js';
import { CelDuration } from '../../formats/duration.js';
import { CelTimestamp } from '../../formats/timestamp.js';

/** Identifies the items of lists of type set and map, which are not compared by index. */
export const ITEM_KEY = Symbol('item key');

type KeyedList = CelList & { readonly [ITEM_KEY]?: (item: CelValue) => string };

export function itemKeyOf(list: CelList): ((item: CelValue) => string) | undefined {
  return (list as KeyedList)[ITEM_KEY];
}

/** Reports whether two values are equal; numbers of different types are compared by value. */
export function isEqual(a: CelValue, b: CelValue): boolean {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b) === 0;
  if (!isComposite(a) || !isComposite(b)) return a === b;
  if (Array.isArray(a) && Array.isArray(b)) return isSameList(a as CelList, b as CelList);
  return a instanceof Map && b instanceof Map ? isSameMap(a as CelMap, b as CelMap) : isSameScalar(a, b);
}

function isComposite(value: CelValue): value is CelValue & object {
  return typeof value === 'object' && value !== null;
}

function isSameScalar(a: CelValue & object, b: CelValue & object): boolean {
  if (a instanceof CelTypeName && b instanceof CelTypeName) return a.name === b.name;
  if (a instanceof CelObject && b instanceof CelObject) return a.typeName === b.typeName && a.equals(b);
  if (a instanceof CelOptional && b instanceof CelOptional) return isSameOptional(a, b);
  return compareOrdered(a, b) === 0;
}

function isSameOptional({ value: a }: CelOptional, { value: b }: CelOptional): boolean {
  return a === undefined || b === undefined ? a === b : isEqual(a, b);
}

function isSameList(a: CelList, b: CelList): boolean {
  const key = itemKeyOf(a) ?? itemKeyOf(b);
  if (a.length !== b.length) return false;
  if (!key) return a.every((item, index) => isEqual(item, b[index] ?? null));
  const others = new Map(b.map((item) => [key(item), item]));
  return a.every((item) => {
    const other = others.get(key(item));
    return other !== undefined && isEqual(item, other);
  });
}

function isSameMap(a: CelMap, b: CelMap): boolean {
  return (
    a.size === b.size &&
    [...a].every(([key, value]) => {
      const other = b.get(key);
      return other !== undefined && isEqual(value, other);
    })
  );
}

export type Numeric = bigint | number | UintLiteral;

function isNumeric(value: CelValue): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof UintLiteral;
}

/** Compares two numbers; NaN when either of them is NaN. */
function compareNumbers(a: Numeric, b: Numeric): number {
  const [x, y] = [plain(a), plain(b)];
  if (x < y) return -1;
  if (x > y) return 1;
  return Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 0;
}

function plain(value: Numeric): bigint | number {
  return value instanceof UintLiteral ? value.value : value;
}

/** Compares two values of an ordered type; undefined for other types. */
export function compareOrdered(a: CelValue, b: CelValue): number | undefined {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (isTime(a) && isTime(b)) return a.constructor === b.constructor ? compareNumbers(a.nanos, b.nanos) : undefined;
  return typeof a === typeof b ? compareBytes(bytesOf(a), bytesOf(b)) : undefined;
}

function compareBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): number | undefined {
  return a && b && Buffer.compare(a, b);
}

/** Returns the bytes by which strings and bytes are ordered. */
function bytesOf(value: CelValue): Uint8Array | undefined {
  if (typeof value === 'string') return Buffer.from(value);
  return value instanceof Uint8Array ? value : undefined;
}

function isTime(value: CelValue): value is CelDuration | CelTimestamp {
  return value instanceof CelDuration || value instanceof CelTimestamp;
}
