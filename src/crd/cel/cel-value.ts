import { isJsonObject } from '../../base/json-object.js';
import { isIntOrString, memberSchema, type StructuralSchema } from '../schema/structural-schema.js';

/** A JSON value as CEL sees it under its schema: integers are ints, date-times are timestamps. */
export function toCel(schema: StructuralSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map((item) => toCel(schema?.items, item));
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, toCel(schema && memberSchema(schema, name), member)]),
    );
  }
  if (typeof value === 'number') return isInteger(schema, value) ? BigInt(value) : value;
  if (typeof value === 'string' && schema?.type === 'string' && schema.format === 'date-time') return new Date(value);
  return value;
}

function isInteger(schema: StructuralSchema | undefined, value: number): boolean {
  if (!Number.isSafeInteger(value)) return false;
  return schema?.type === undefined || schema.type === 'integer' || isIntOrString(schema);
}
