import type { JsonSchema } from '../../api/json-schema.js';

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;
const BOUNDS = ['minimum', 'maximum', 'multipleOf'] as const;
const PAIRS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;
const INT32 = 2 ** 31;

/** Returns true if counts and bounds are valid for options: exact, in order, and within the format. */
export function hasPlainNumbers(schema: JsonSchema): boolean {
  if (!COUNTS.every((name) => isCount(schema[name] ?? 0))) return false;
  if (!BOUNDS.every((name) => Math.abs(schema[name] ?? 0) <= Number.MAX_SAFE_INTEGER)) return false;
  if (PAIRS.some(([low, high]) => (schema[low] ?? -Infinity) > (schema[high] ?? Infinity))) return false;
  if (schema.type === 'integer' && !BOUNDS.every((name) => Number.isInteger(schema[name] ?? 0))) return false;
  return isWide(schema) && isWithinFormat(schema) && isDivisor(schema);
}

/** Returns true if the bounds leave a nonempty range. */
function isWide({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): boolean {
  return minimum === undefined || minimum !== maximum || !(exclusiveMinimum ?? exclusiveMaximum);
}

function isWithinFormat({ format, minimum, maximum }: JsonSchema): boolean {
  return format !== 'int32' || [minimum, maximum].every((bound = 0) => bound >= -INT32 && bound < INT32);
}

/** The remainder of a division of fractions is inexact. */
function isDivisor({ multipleOf = 1, ...schema }: JsonSchema): boolean {
  return multipleOf > 0 && (schema.default === undefined || Number.isInteger(multipleOf));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
