import { isJsonObject } from '../../base/json-object.js';
import { memberSchema, type StructuralSchema } from './structural-schema.js';

/** Removes nulls, in place, where the schema is not nullable and has no default. */
export function pruneNulls(schema: StructuralSchema, value: unknown): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) for (const item of value as unknown[]) pruneNulls(items, item);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const type = memberSchema(schema, name);
    if (!type) continue;
    if (member === null && type.nullable !== true && type.default === undefined) Reflect.deleteProperty(value, name);
    else pruneNulls(type, member);
  }
}
