import { deepEqual } from '../../base/deep-equal.js';
import { eachObject, isJsonObject, objectAt, without, type JsonObject } from '../objects/api-object.js';
import type { OpenApiVersion } from '../discovery/published-version.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const CONVENTIONS = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';
const INT_OR_STRING = 'x-kubernetes-int-or-string';
const PRESERVE_UNKNOWN = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';
const JUNCTORS = ['allOf', 'anyOf', 'oneOf', 'not'];
const INTEGER_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** Returns a description of `metadata` that refers to a shared schema. */
export function metadataReference(openApi: OpenApiVersion, name: 'ObjectMeta' | 'ListMeta'): JsonObject {
  const what = name === 'ObjectMeta' ? "Standard object's metadata" : 'Standard list metadata';
  const anchor = name === 'ObjectMeta' ? 'metadata' : 'types-kinds';
  const description = `${what}. More info: ${CONVENTIONS}#${anchor}`;
  return openApi === 'v2'
    ? { description, $ref: `#/definitions/${META}.${name}` }
    : { description, allOf: [{ $ref: `#/components/schemas/${META}.${name}` }] };
}

/**
 * Returns the structural schema of a custom resource as the documents of OpenAPI contain it: integers or strings have
 * their alternatives, embedded resources their type and metadata. Version 2 omits what it does not support, and types
 * that kubectl would reject: Unfold, ToStructuralOpenAPIV2 and addEmbeddedProperties of apiextensions-apiserver.
 */
export function publishedSchema(schema: JsonObject, openApi: OpenApiVersion): JsonObject {
  const own = openApi === 'v2' ? withoutUnsupported(schema) : unfolded(schema);
  const below = (value: unknown): unknown => (isJsonObject(value) ? publishedSchema(value, openApi) : value);
  const { properties, items, additionalProperties } = own;
  const result: JsonObject = {
    ...own,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, below(value)])),
    }),
    ...(items !== undefined && { items: below(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: below(additionalProperties) }),
  };
  const isOpen = openApi === 'v2' && schema[PRESERVE_UNKNOWN] === true;
  return schema[EMBEDDED] === true && !isOpen ? withTypeAndMetadata(result, openApi) : result;
}

/** Adds the alternatives of a value that is an integer or a string, unless they are there. */
function unfolded(schema: JsonObject): JsonObject {
  if (schema[INT_OR_STRING] !== true) return schema;
  const allOf = eachObject(schema.allOf);
  if (deepEqual(schema.anyOf, INTEGER_OR_STRING) || deepEqual(allOf[0]?.anyOf, INTEGER_OR_STRING)) return schema;
  return schema.anyOf === undefined
    ? { ...schema, anyOf: INTEGER_OR_STRING }
    : { ...schema, allOf: [{ anyOf: INTEGER_OR_STRING }, ...allOf] };
}

function withoutUnsupported(schema: JsonObject): JsonObject {
  const result: JsonObject = without(schema, ...JUNCTORS, 'nullable', 'default');
  const isOpen = schema[PRESERVE_UNKNOWN] === true;
  const isNullable = schema.nullable === true;
  const drop = (...names: readonly string[]): void => {
    for (const name of names) Reflect.deleteProperty(result, name);
  };
  if (isNullable || isOpen) drop('items', 'properties');
  const isList = result.type === 'array' && result.items === undefined;
  if (isNullable || isList || (isOpen && result.type === 'object')) drop('type');
  const required = requiredOf(result);
  if (required.length === 0) drop('required');
  else result.required = required;
  return result;
}

/** Returns the required properties without the nullable ones, since version 2 does not support null. */
function requiredOf({ required, properties, additionalProperties }: JsonObject): string[] {
  if (!Array.isArray(required) || objectAt({ additionalProperties }, 'additionalProperties').nullable === true)
    return [];
  const members = objectAt({ properties }, 'properties');
  return (required as string[]).filter(
    (name) => !Object.hasOwn(members, name) || objectAt(members, name).nullable !== true,
  );
}

/** Adds the type and the metadata of an embedded resource, which replace those of the schema. */
function withTypeAndMetadata(schema: JsonObject, openApi: OpenApiVersion): JsonObject {
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  return {
    ...schema,
    properties: {
      ...objectAt(schema, 'properties'),
      apiVersion: {
        description: `apiVersion defines the versioned schema of this representation of an object. More info: ${CONVENTIONS}#resources`,
        type: 'string',
      },
      kind: {
        description: `kind is a string value representing the type of this object. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
        type: 'string',
      },
      metadata: metadataReference(openApi, 'ObjectMeta'),
    },
    required: [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))],
  };
}
