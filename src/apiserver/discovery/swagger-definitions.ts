import { isJsonObject, without, type JsonObject } from '../objects/api-object.js';

const V3_REFERENCE = '#/components/schemas/';
const GROUP_VERSION_KIND = 'x-kubernetes-group-version-kind';
/** What version 2 cannot say. */
const DROPPED = new Set(['oneOf', 'anyOf', 'allOf', 'not', 'nullable', 'default', 'x-kubernetes-validations']);

/** Schemas of OpenAPI v3 as the definitions of v2 that kubectl reads. */
export function swaggerDefinitions(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, definitionOf(schema)]));
}

/** Of a kind that takes any fields nothing is said. */
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

/** Whether the value may be what a type would forbid: null, an integer or a string, fields nobody knows. */
function isOpen(schema: JsonObject): boolean {
  return ['nullable', 'x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'].some(
    (key) => schema[key] === true,
  );
}

function memberOf(key: string, value: unknown): unknown {
  if (key === 'properties' && isJsonObject(value)) return swaggerProperties(value);
  return (key === 'items' || key === 'additionalProperties') && isJsonObject(value) ? swaggerSchema(value) : value;
}

/** Null cannot be said, so that fields which may be null must be allowed to be absent. */
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
