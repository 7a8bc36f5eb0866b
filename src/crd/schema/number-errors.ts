import { invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { isMultipleOf, isWhole } from '../../base/is-multiple-of.js';
import { ownMember } from '../../base/own-member.js';
import type { StructuralSchema } from './structural-schema.js';

/** Returns the errors of a number, in the text of the API server. */
export function numberErrors(schema: StructuralSchema, value: number, path: string): FieldError[] {
  const { multipleOf } = schema;
  const errors = [...rangeErrors(schema, value, path), ...boundErrors(schema, value, path)];
  const isHeld = schema.type !== 'integer' || Number.isInteger(multipleOf);
  if (multipleOf !== undefined && isHeld && !isMultipleOf(value, multipleOf))
    errors.push(multipleError(value, multipleOf, path));
  return errors;
}

function multipleError(value: number, multipleOf: number, path: string): FieldError {
  const factor = isWhole(value) ? Math.trunc(multipleOf) : multipleOf;
  if (factor > 0) return invalidValue(path, value, `${path} in body should be a multiple of ${factor}`);
  return invalidValue(path, factor, `factor MultipleOf declared for ${path} must be positive: ${factor}`);
}

function boundErrors(schema: StructuralSchema, value: number, path: string): FieldError[] {
  const { minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false } = schema;
  const limits: string[] = [];
  const orEqual = (isExclusive: boolean): string => (isExclusive ? '' : 'or equal to ');
  const [most, least] = [asCompared(schema, value, maximum), asCompared(schema, value, minimum)];
  if (most !== undefined && isBeyond(value, most, exclusiveMaximum))
    limits.push(`less than ${orEqual(exclusiveMaximum)}${most}`);
  if (least !== undefined && isBeyond(-value, -least, exclusiveMinimum))
    limits.push(`greater than ${orEqual(exclusiveMinimum)}${least}`);
  return limits.map((limit) => invalidValue(path, value, `${path} in body should be ${limit}`));
}

/** Compares a whole number with a truncated bound, except for the type integer. */
function asCompared({ type }: StructuralSchema, value: number, bound: number | undefined): number | undefined {
  return bound !== undefined && type !== 'integer' && isWhole(value) ? Math.trunc(bound) : bound;
}

function isBeyond(value: number, bound: number, isExclusive: boolean): boolean {
  return isExclusive ? value >= bound : value > bound;
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
};

/** Returns errors for a value outside its integer type, and for bounds outside it, which invalidate all values. */
function rangeErrors(schema: StructuralSchema, value: number, path: string): FieldError[] {
  if (schema.type !== 'integer') return [];
  const [from, to] = ownMember(RANGES, schema.format ?? '') ?? [-Infinity, Infinity];
  const isHeld = (number = 0): boolean => Number.isInteger(number) && number >= from && number <= to;
  const found: readonly (readonly [name: string, number: number | undefined])[] = [
    ['Checked', value],
    ['MultipleOf', schema.multipleOf],
    ['Minimum boundary', schema.minimum],
    ['Maximum boundary', schema.maximum],
  ];
  return found.filter(([, number]) => !isHeld(number)).map(([name]) => outsideType(name, schema, path));
}

/** Errors of numbers outside their type have no field on the API server. */
function outsideType(name: string, { format = '' }: StructuralSchema, path: string): FieldError {
  const type = format === '' ? 'integer (default format)' : `integer with format ${format}`;
  return invalidValue('<nil>', '', `${name} value must be of type ${type} in ${path}`);
}
