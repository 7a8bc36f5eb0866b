import { isJsonObject, without, type JsonObject } from '../objects/api-object.js';

const V3_REFERENCE = '#/components/schemas/';
const GROUP_VERSION_KIND = 'x-kubernetes-group-version-kind';
/** Keywords that OpenAPI v2 does not support. */
const DROPPED = new Set(['oneOf', 'anyOf', 'allOf', 'not', 'nullable', 'default', 'x-kubernetes-validations']);

/** Converts schemas of OpenAPI v3 to the v2 definitions that kubectl reads. */
export function swaggerDefinitions(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, definitionOf(schema)]));
}

/** Converts a schema; one that preserves unknown fields becomes an object without properties. */
function definitionOf(schema: unknown): JsonObject {
  if (!isJsonObject(schema) || schema['x-kubernetes-preserve-unknown-fields'] !== true) return swaggerSchema(schema);
  return { type: 'object', [GROUP_VERSION_KIND]: schema[GROUP_VERSION_KIND] };
}

function swaggerProperties(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, swaggerSchema(schema)]));
}

function swaggerSchema(schema: unknown): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { description } = schema;
  const reference = typeof schema.$ref === 'string' ? schema.$ref : referenceIn(schema.allOf);
  if (reference !== undefined) {
    const $ref = reference.replace(V3_REFERENCE, '#/definitions/');
    return description === undefined ? { $ref } : { description, $ref };
  }
  const members = isOpen(schema) ? opened(schema) : withoutNullable(schema);
  return Object.fromEntries(
    Object.entries(members)
      .filter(([key]) => !DROPPED.has(key))
      .map(([key, value]) => [key, memberOf(key, value)]),
  );
}

/** Returns whether values can violate the schema's type: null, integer or string, unknown fields. */
function isOpen(schema: JsonObject): boolean {
  return ['nullable', 'x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'].some(
    (key) => schema[key] === true,
  );
}

function memberOf(key: string, value: unknown): unknown {
  if (key === 'properties' && isJsonObject(value)) return swaggerProperties(value);
  return (key === 'items' || key === 'additionalProperties') && isJsonObject(value) ? swaggerSchema(value) : value;
}

/** Makes nullable fields optional, since v2 does not support null. */
function withoutNullable(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.required) || !isJsonObject(schema.properties)) return schema;
  const { properties } = schema;
  const isNullable = (name: string): boolean => isJsonObject(properties[name]) && properties[name].nullable === true;
  const required = (schema.required as string[]).filter((name) => !isNullable(name));
  return required.length > 0 ? { ...schema, required } : without(schema, 'required');
}

function opened(schema: JsonObject): JsonObject {
  const result = { ...schema };
  for (const key of ['type', 'items', 'properties']) Reflect.deleteProperty(result, key);
  return result;
}

function referenceIn(allOf: unknown): string | undefined {
  const first: unknown = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  return isJsonObject(first) && typeof first.$ref === 'string' ? first.$ref : undefined;
}
