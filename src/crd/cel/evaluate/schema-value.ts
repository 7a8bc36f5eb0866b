import { isIntOrString, type StructuralSchema } from '../../schema/structural-schema.js';
import { isJsonObject, type JsonObject } from '../../../base/json-object.js';
import { stringifyJson } from '../../../base/json.js';
import { escapeName } from '../../../api/schema/cel-name.js';
import { CelError, type CelList, type CelMap, type CelValue } from '../values/cel-value.js';
import { parseDuration } from '../../formats/duration.js';
import { ITEM_KEY } from '../values/equality.js';
import { toText } from '../functions/format-string.js';
import { parseTimestamp } from '../../formats/timestamp.js';

const META_TYPES: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } },
};

type Convert = (schema: StructuralSchema, value: unknown, isResource: boolean) => CelValue;

const CONVERSIONS: Readonly<Record<string, Convert>> = {
  array: (schema, value) => toList(schema, value),
  object: (schema, value, isResource) => (isJsonObject(value) ? toMap(schema, value, isResource) : null),
  string: ({ format }, value) => toTextual(format, value as string),
  integer: (_schema, value) => (typeof value === 'number' ? BigInt(Math.trunc(value)) : (value as bigint)),
  number: (_schema, value) => Number(value),
};

/** Converts a JSON value to CEL according to its schema; undeclared fields are omitted. */
export function toCel(schema: StructuralSchema, value: unknown, isResource = false): CelValue {
  if (value === null || value === undefined) return null;
  if (isIntOrString(schema)) return ofUnknownType(value);
  const convert = CONVERSIONS[schema.type ?? ''];
  return convert ? convert(schema, value, isResource) : (value as boolean);
}

const NEITHER = 'invalid data, expected XIntOrString value to be either a string or integer';

function ofUnknownType(value: unknown): CelValue {
  if (typeof value === 'object' || typeof value === 'boolean') return new CelError(NEITHER);
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  return value as CelValue;
}

function toTextual(format: string | undefined, text: string): CelValue {
  switch (format) {
    case 'byte':
      return Buffer.from(text, 'base64');
    case 'duration':
      return parseDuration(text) ?? text;
    case 'date':
      return parseTimestamp(`${text}T00:00:00Z`) ?? text;
    case 'date-time':
      return parseTimestamp(text.replace(' ', 'T').toUpperCase()) ?? text;
    default:
      return text;
  }
}

function toList(schema: StructuralSchema, value: unknown): CelValue {
  const { items = {} } = schema;
  const list = Array.isArray(value) ? value.map((item) => toCel(items, item, isEmbedded(items))) : [];
  const listType = schema['x-kubernetes-list-type'];
  if (listType === 'set') return keyed(list, toKeyText);
  if (listType !== 'map') return list;
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => escapeName(key) ?? key);
  return keyed(list, (item) => stringifyJson(keys.map((key) => toKeyText((item as CelMap).get(key) ?? null))));
}

function keyed(list: CelList, key: (item: CelValue) => string): CelList {
  return Object.assign(list, { [ITEM_KEY]: key });
}

function toKeyText(value: CelValue): string {
  return toText(value);
}

function isEmbedded(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

function toMap(schema: StructuralSchema, value: JsonObject, isResource: boolean): CelMap {
  const { additionalProperties } = schema;
  const map = new Map<string, CelValue>();
  if (typeof additionalProperties === 'object') {
    for (const [key, member] of Object.entries(value))
      map.set(key, toCel(additionalProperties, member, isEmbedded(additionalProperties)));
    return map;
  }
  const properties = isResource ? { ...schema.properties, ...META_TYPES } : (schema.properties ?? {});
  for (const [name, member] of Object.entries(value)) {
    const type = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const field = escapeName(name);
    if (type && field !== undefined && member !== undefined) map.set(field, toCel(type, member, isEmbedded(type)));
  }
  return map;
}
