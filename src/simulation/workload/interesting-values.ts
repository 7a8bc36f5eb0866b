import { canonicalQuantity } from '../../api/schema/quantity.js';
import { quantityToNumber } from '../../api/schema/quantity-arithmetic.js';
import { durationMs } from '../../base/duration.js';
import { isJsonObject } from '../../base/json-object.js';
import { isIntOrString, type StructuralSchema } from '../../crd/schema/structural-schema.js';
import { exampleValue } from './example-value.js';

/** Another value for one field. */
export interface FieldValue {
  /** Undefined: the field is absent. */
  readonly value: unknown;
  /** The property of the value, such as `minimum` or `empty`. */
  readonly words: string;
}

type Accepts = (schema: StructuralSchema, value: unknown) => boolean;

/** Numbers of replicas that show wrong orders and thresholds; 12 has ordinals of two digits. */
const SIZES = [1, 2, 3, 0, 12, 10];
const LENGTHS = [63, 64, 253];

/**
 * Returns other values of a field, those that users are likely to set first. Values that the schema rejects are among them:
 * just beyond its limits.
 *
 * @param name of the field: the values of `size`, `replicas` and `image` depend on their meaning
 */
export function interestingValues(
  schema: StructuralSchema,
  name: string,
  current: unknown,
  accepts: Accepts,
): FieldValue[] {
  const values = [...ofKind(schema, name, current, accepts)];
  return values.filter(
    ({ value }, index) => value !== current && values.findIndex((other) => Object.is(other.value, value)) === index,
  );
}

function ofKind(schema: StructuralSchema, name: string, current: unknown, accepts: Accepts): Iterable<FieldValue> {
  if (schema.enum) return schema.enum.filter((value) => value !== null).map((value) => ({ value, words: 'enum' }));
  if (current === undefined) return [{ value: exampleValue(schema, accepts), words: 'set' }];
  if (isIntOrString(schema) || typeof current === 'string') return texts(schema, name, current, accepts);
  if (typeof current === 'number') return numbers(schema, name, current);
  if (typeof current === 'boolean') return [{ value: !current, words: 'flipped' }];
  if (Array.isArray(current)) return lists(schema, current, accepts);
  return isMap(schema) && isJsonObject(current) ? maps(schema, current, accepts) : [];
}

/** Returns whether the members of an object are free keys. */
export function isMap({ additionalProperties, properties }: StructuralSchema): boolean {
  return typeof additionalProperties === 'object' && properties === undefined;
}

function* numbers(schema: StructuralSchema, name: string, current: number): Iterable<FieldValue> {
  const { minimum, maximum, multipleOf: step = 1 } = schema;
  if (/^(size|replicas)$|(Size|Replicas)$/.test(name))
    for (const value of SIZES) yield { value, words: `to ${String(value)}` };
  yield { value: current + step, words: 'one more' };
  yield { value: current - step, words: 'one less' };
  yield { value: current * 2, words: 'doubled' };
  yield { value: schema.type === 'integer' ? Math.floor(current / 2) : current / 2, words: 'halved' };
  yield { value: 0, words: 'zero' };
  yield { value: 12, words: 'two digits' };
  if (minimum !== undefined) yield { value: minimum, words: 'minimum' };
  if (maximum !== undefined) yield { value: maximum, words: 'maximum' };
  if (minimum !== undefined) yield { value: minimum - step, words: 'below the minimum' };
  if (maximum !== undefined) yield { value: maximum + step, words: 'above the maximum' };
}

function texts(schema: StructuralSchema, name: string, current: unknown, accepts: Accepts): Iterable<FieldValue> {
  const isQuantity = isIntOrString(schema) || /^\d+(\.\d+)?[EPTGMk]i?$|^\d+m$/.test(String(current));
  if (isQuantity && canonicalQuantity(current) !== undefined) return quantities(String(current));
  if (typeof current !== 'string') return [];
  const ms = durationMs(current);
  return ms === undefined ? plainTexts(schema, name, current, accepts) : durations(ms);
}

function* plainTexts(schema: StructuralSchema, name: string, current: string, accepts: Accepts): Iterable<FieldValue> {
  const { minLength = 0, maxLength } = schema;
  if (/image$/i.test(name)) yield { value: 'example.invalid/missing:1', words: 'missing image' };
  yield { value: exampleValue(schema, accepts, 1), words: 'another' };
  if (schema.pattern === undefined && schema.format === undefined) yield { value: `${current}-2`, words: 'longer' };
  yield { value: '', words: 'empty' };
  if (minLength > 0) yield { value: 'a'.repeat(minLength - 1), words: 'too short' };
  const lengths = LENGTHS.filter((length) => length <= (maxLength ?? Infinity));
  for (const length of lengths) yield { value: 'a'.repeat(length), words: `${String(length)} characters` };
  if (maxLength !== undefined) yield { value: 'a'.repeat(maxLength + 1), words: 'too long' };
}

function* quantities(current: string): Iterable<FieldValue> {
  const value = quantityToNumber(current);
  const suffix = /[A-Za-z]*$/.exec(current)?.[0] ?? '';
  const number = Number(current.slice(0, current.length - suffix.length));
  yield { value: `${String(number * 2)}${suffix}`, words: 'doubled' };
  yield { value: `${String(Math.max(1, Math.floor(number / 2)))}${suffix}`, words: 'halved' };
  if (Number.isSafeInteger(value)) yield { value: String(value), words: 'in other units' };
  yield { value: '0', words: 'zero' };
}

function* durations(ms: number): Iterable<FieldValue> {
  const seconds = Math.max(1, Math.round(ms / 1000));
  yield { value: `${String(Math.ceil(seconds * 1.5))}s`, words: 'longer' };
  yield { value: `${String(Math.max(1, Math.floor(seconds / 2)))}s`, words: 'shorter' };
  yield { value: '0s', words: 'zero' };
}

function* lists(schema: StructuralSchema, current: readonly unknown[], accepts: Accepts): Iterable<FieldValue> {
  const added = exampleValue(schema.items ?? {}, accepts, current.length + 1);
  if (added !== undefined) yield { value: [...current, added], words: 'one more item' };
  if (current.length > 0) yield { value: current.slice(0, -1), words: 'without the last item' };
  if (current.length > 1) yield { value: current.slice(1), words: 'without the first item' };
  if (current.length > 1) yield { value: current.toReversed(), words: 'in another order' };
  if (current.length > 0) yield { value: [...current, current[0]], words: 'with an item twice' };
}

function* maps(
  schema: StructuralSchema,
  current: Readonly<Record<string, unknown>>,
  accepts: Accepts,
): Iterable<FieldValue> {
  const { additionalProperties } = schema;
  const [first] = Object.keys(current);
  const added = typeof additionalProperties === 'object' ? exampleValue(additionalProperties, accepts) : undefined;
  if (added !== undefined) yield { value: { ...current, 'added-key': added }, words: 'one more key' };
  if (first === undefined) return;
  const { [first]: value, ...others } = current;
  yield { value: others, words: 'without a key' };
  if (typeof value === 'string') yield { value: { ...current, [first]: `${value}2` }, words: 'another value of a key' };
}
