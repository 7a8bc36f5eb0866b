import { deepClone } from '../../base/deep-clone.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { memberSchema, type StructuralSchema } from './structural-schema.js';

/** Fills in defaults of the schema, in place; a null that may not be one gives way to the default, or goes. */
export function applyStructuralDefaults(schema: StructuralSchema, value: unknown): void {
  if (Array.isArray(value)) {
    if (schema.items) for (const item of value as unknown[]) applyStructuralDefaults(schema.items, item);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(schema.properties ?? {})) defaultMember(value, name, member);
  for (const [name, member] of Object.entries(value)) {
    const type = memberSchema(schema, name);
    if (type) settleMember(value, name, type, member);
  }
}

function settleMember(value: JsonObject, name: string, schema: StructuralSchema, member: unknown): void {
  if (member === null && schema.nullable !== true) Reflect.deleteProperty(value, name);
  else applyStructuralDefaults(schema, member);
}

function defaultMember(value: JsonObject, name: string, schema: StructuralSchema): void {
  const present = Object.hasOwn(value, name) ? value[name] : undefined;
  const isMissing = present === undefined || (present === null && schema.nullable !== true);
  if (isMissing && schema.default !== undefined) value[name] = deepClone(schema.default);
}
