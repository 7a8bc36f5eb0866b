import { deepClone } from '../../base/deep-clone.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import { memberSchema, type StructuralSchema } from './structural-schema.js';

/** Applies the defaults of the schema, in place; a null in a non-nullable field is replaced by the default. */
export function applyStructuralDefaults(schema: StructuralSchema, value: unknown): void {
  if (Array.isArray(value)) {
    if (schema.items) defaultItems(schema.items, value as unknown[]);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, member] of membersWithDefaults(schema)) {
    const present = Object.hasOwn(value, name) ? value[name] : undefined;
    if (isReplaceable(member, present)) value[name] = deepClone(member.default);
  }
  for (const name of Object.keys(value)) {
    const type = memberSchema(schema, name);
    if (type) defaultMember(type, value, name);
  }
}

type Member = readonly [name: string, schema: StructuralSchema];

/** Few of the hundreds of members of a large schema have a default. */
const found = new WeakMap<StructuralSchema, readonly Member[]>();

function membersWithDefaults(schema: StructuralSchema): readonly Member[] {
  const known = found.get(schema);
  if (known) return known;
  const members = Object.entries(schema.properties ?? {}).filter(([, member]) => member.default !== undefined);
  found.set(schema, members);
  return members;
}

function defaultMember(schema: StructuralSchema, value: JsonObject, name: string): void {
  if (value[name] === null && isReplaceable(schema, null)) value[name] = deepClone(schema.default);
  applyStructuralDefaults(schema, value[name]);
}

function defaultItems(schema: StructuralSchema, items: unknown[]): void {
  for (const [index, item] of items.entries()) {
    if (item === null && isReplaceable(schema, null)) items[index] = deepClone(schema.default);
    applyStructuralDefaults(schema, items[index]);
  }
}

function isReplaceable(schema: StructuralSchema, value: unknown): boolean {
  const isMissing = value === undefined || (value === null && schema.nullable !== true);
  return isMissing && schema.default !== undefined;
}
