import { isJsonObject, type JsonObject } from '../object.js';
import { goStruct, type GoType } from './go-type.js';

/**
 * The value of a Go struct as the store gives it back. Protobuf knows no empty lists: fields that Go writes whatever their
 * value hold null afterwards, the others are gone.
 */
export function settleGo(structName: string, value: JsonObject): JsonObject {
  return hasEmptyList(value) ? settleStruct(structName, value) : value;
}

function hasEmptyList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(hasEmptyList);
  return isJsonObject(value) && Object.values(value).some(hasEmptyList);
}

function settleStruct(name: string, value: JsonObject): JsonObject {
  const { fields } = goStruct(name);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const field = fields.get(key);
      if (!field) return [[key, member]];
      const settled = settle(field.type, member);
      return settled === null && field.omitEmpty ? [] : [[key, settled]];
    }),
  );
}

function settle(type: GoType, value: unknown): unknown {
  if (type.k === 'pointer') return settle(type.of, value);
  if (type.k === 'struct') return isJsonObject(value) ? settleStruct(type.name, value) : value;
  if (type.k === 'list' && Array.isArray(value))
    return value.length === 0 ? null : (value as unknown[]).map((item) => settle(type.of, item));
  if (type.k !== 'map' || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, settle(type.of, member)]));
}
