import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { goStruct, SCHEMA_UNIONS, type GoType } from './go-type.js';

/** Encodes a decoded value like Go: empty lists and maps of `omitempty` fields are omitted. */
export function encodeGo(structName: string, value: JsonObject): JsonObject {
  return hasEmpty(value) ? new Normalizer(false).struct(structName, value) : value;
}

/**
 * Normalizes a decoded value as a round trip through the store does. Protobuf has no empty lists: fields without
 * `omitempty` become null, others are dropped.
 */
export function normalizeAsStored(structName: string, value: JsonObject): JsonObject {
  return hasEmpty(value) ? new Normalizer(true).struct(structName, value) : value;
}

function hasEmpty(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0 || value.some(hasEmpty);
  if (!isJsonObject(value)) return false;
  const members = Object.values(value);
  return members.length === 0 || members.some(hasEmpty);
}

class Normalizer {
  /** @param isStored whether empty lists and maps become null, as after storage */
  constructor(private readonly isStored: boolean) {}

  struct(name: string, value: JsonObject): JsonObject {
    const { fields } = goStruct(name);
    const result: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      const field = fields.get(key);
      const normalized = field ? this.value(field.type, member) : member;
      if (!(field?.omitEmpty === true && isEmptied(field.type, normalized))) result[key] = normalized;
    }
    return result;
  }

  private value(type: GoType, value: unknown): unknown {
    if (type.type === 'pointer') return this.value(type.of, value);
    if (type.type === 'struct') return isJsonObject(value) ? this.struct(type.name, value) : value;
    if (type.type === 'list' && Array.isArray(value)) return this.list(type.of, value as unknown[]);
    if (type.type === 'scalar') return SCHEMA_UNIONS.has(type.name) ? this.schemas(value) : value;
    return type.type === 'map' && isJsonObject(value) ? this.map(type.of, value) : value;
  }

  private list(item: GoType, value: readonly unknown[]): unknown {
    if (value.length === 0 && this.isStored) return null;
    return value.map((member) => this.value(item, member));
  }

  /** Encodes a union of a schema, a list of schemas, or another value. */
  private schemas(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((member) => this.schemas(member));
    return isJsonObject(value) ? this.struct('apiextensions/v1.JSONSchemaProps', value) : value;
  }

  private map(item: GoType, value: JsonObject): unknown {
    const members = Object.entries(value);
    if (members.length === 0 && this.isStored) return null;
    // Missing bytes are read back as empty bytes.
    const none = this.isStored && item.type === 'scalar' && item.name === 'bytes' ? '' : null;
    return Object.fromEntries(members.map(([key, member]) => [key, this.value(item, member) ?? none]));
  }
}

function isEmptied({ type: k }: GoType, value: unknown): boolean {
  if (k !== 'list' && k !== 'map') return false;
  return value === null || (Array.isArray(value) ? value.length === 0 : Object.keys(value as JsonObject).length === 0);
}
