import type { JsonSchema } from '../../api/schema/json-schema.js';
import { deepEqual } from '../../base/deep-equal.js';

/** controller-gen's schema for a value that is an integer or a string. */
export const INT_OR_STRING: readonly JsonSchema[] = [{ type: 'integer' }, { type: 'string' }];

/** Keywords that conditions may contain. */
const ALLOWED: readonly string[] = [
  'format',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'properties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
] satisfies readonly (keyof JsonSchema)[];

/** Returns true if the conditions of a value only restrict it and do not define its type. */
export function hasPlainConditions(schema: JsonSchema): boolean {
  return conditionsOf(schema).every(isPlain);
}

function conditionsOf(schema: JsonSchema): JsonSchema[] {
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true && deepEqual(schema.anyOf, INT_OR_STRING);
  const anyOf = isIntOrString ? [] : (schema.anyOf ?? []);
  return [...anyOf, ...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.not ? [schema.not] : [])];
}

function isPlain(condition: JsonSchema): boolean {
  if (!Object.keys(condition).every((keyword) => ALLOWED.includes(keyword))) return false;
  const { items, properties = {} } = condition;
  if (Object.hasOwn(properties, 'metadata')) return false;
  return [...conditionsOf(condition), ...(items ? [items] : []), ...Object.values(properties)].every(isPlain);
}
