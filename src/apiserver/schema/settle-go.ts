import { isJsonObject, type JsonObject } from '../objects/api-object.js';
import { goStruct, SCHEMA_UNIONS, type GoType } from './go-type.js';

/** A decoded value as Go's encoder writes it: without the empty lists and maps that `omitempty` drops. */
export function encodeGo(structName: string, value: JsonObject): JsonObject {
  return hasEmpty(value) ? new Settler(false).struct(structName, value) : value;
}

/**
 * A decoded value as the store gives it back. Protobuf knows no empty lists: fields that Go writes whatever their value
 * hold null afterwards, the others are gone.
 */
export function settleGo(structName: string, value: JsonObject): JsonObject {
  return hasEmpty(value) ? new Settler(true).struct(structName, value) : value;
}

function hasEmpty(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0 || value.some(hasEmpty);
  if (!isJsonObject(value)) return false;
  const members = Object.values(value);
  return members.length === 0 || members.some(hasEmpty);
}

class Settler {
  /** @param isStored whether what Go writes whatever its value comes back as null, rather than empty */
  constructor(private readonly isStored: boolean) {}

  struct(name: string, value: JsonObject): JsonObject {
    const { fields } = goStruct(name);
    const result: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      const field = fields.get(key);
      const settled = field ? this.value(field.type, member) : member;
      if (!(field?.omitEmpty === true && isEmptied(field.type, settled))) result[key] = settled;
    }
    return result;
  }

  private value(type: GoType, value: unknown): unknown {
    if (type.k === 'pointer') return this.value(type.of, value);
    if (type.k === 'struct') return isJsonObject(value) ? this.struct(type.name, value) : value;
    if (type.k === 'list' && Array.isArray(value)) return this.list(type.of, value as unknown[]);
    if (type.k === 'scalar') return SCHEMA_UNIONS.has(type.name) ? this.schemas(value) : value;
    return type.k === 'map' && isJsonObject(value) ? this.map(type.of, value) : value;
  }

  private list(item: GoType, value: readonly unknown[]): unknown {
    if (value.length === 0 && this.isStored) return null;
    return value.map((member) => this.value(item, member));
  }

  /** A schema, several, or something else. */
  private schemas(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((member) => this.schemas(member));
    return isJsonObject(value) ? this.struct('apiextensions/v1.JSONSchemaProps', value) : value;
  }

  private map(item: GoType, value: JsonObject): unknown {
    const members = Object.entries(value);
    if (members.length === 0 && this.isStored) return null;
    // Bytes that are none come back as empty ones.
    const none = this.isStored && item.k === 'scalar' && item.name === 'bytes' ? '' : null;
    return Object.fromEntries(members.map(([key, member]) => [key, this.value(item, member) ?? none]));
  }
}

function isEmptied({ k }: GoType, value: unknown): boolean {
  if (k !== 'list' && k !== 'map') return false;
  return value === null || (Array.isArray(value) ? value.length === 0 : Object.keys(value as JsonObject).length === 0);
}
