import { isJsonObject } from '../../base/json-object.js';
import type { JsonSchema } from '../../api/schema/json-schema.js';
import { SchemaValidator } from '../../crd/schema/schema-validator.js';

const STRING: JsonSchema = { type: 'string' };
const OBJECT: JsonSchema = { type: 'object' };
const LIST_OF_OBJECTS: JsonSchema = { type: 'array', items: OBJECT };
const STRINGS: JsonSchema = { type: 'array', items: STRING };
const MAP_OF_STRINGS: JsonSchema = { type: 'object', additionalProperties: STRING };

/** The types of a CustomResourceDefinition's fields, which its validation requires. It also reports missing fields. */
const DEFINITION: JsonSchema = {
  type: 'object',
  required: ['metadata'],
  properties: {
    metadata: {
      type: 'object',
      required: ['name'],
      properties: { name: STRING, labels: MAP_OF_STRINGS, annotations: MAP_OF_STRINGS },
    },
    spec: {
      type: 'object',
      properties: {
        group: STRING,
        scope: STRING,
        names: {
          type: 'object',
          properties: {
            ...{ plural: STRING, singular: STRING, kind: STRING, listKind: STRING },
            ...{ shortNames: STRINGS, categories: STRINGS },
          },
        },
        conversion: OBJECT,
        versions: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: STRING,
              served: { type: 'boolean' },
              storage: { type: 'boolean' },
              schema: { type: 'object', properties: { openAPIV3Schema: OBJECT } },
              subresources: { type: 'object', properties: { status: OBJECT, scale: OBJECT } },
              additionalPrinterColumns: LIST_OF_OBJECTS,
              selectableFields: LIST_OF_OBJECTS,
            },
          },
        },
      },
    },
  },
};

/** A definition with the types that the schema requires. */
interface Versioned {
  readonly spec?: { readonly versions?: readonly { readonly schema?: { readonly openAPIV3Schema?: unknown } }[] };
}

const SCHEMAS = new Set(['items', 'not', 'additionalProperties']);
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf']);
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'definitions']);

/** Returns the fields of a document whose JSON type is not that of a CustomResourceDefinition, with what is wrong. */
export function shapeProblems(definition: unknown): string[] {
  const errors = new SchemaValidator(DEFINITION).validate(definition);
  if (errors.length > 0) return errors.map(({ field, body }) => `${field}: ${body}`);
  const { spec } = definition as Versioned;
  return (spec?.versions ?? []).flatMap(({ schema }, index) => {
    const root = schema?.openAPIV3Schema;
    return root === undefined ? [] : schemaProblems(root, `spec.versions[${index}].schema.openAPIV3Schema`);
  });
}

function schemaProblems(schema: unknown, path: string): string[] {
  if (!isJsonObject(schema)) return [`${path}: must be an object`];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const below = `${path}.${keyword}`;
    if (keyword === 'additionalProperties' && typeof value === 'boolean') return [];
    if (SCHEMAS.has(keyword)) return schemaProblems(value, below);
    if (SCHEMA_MAPS.has(keyword)) {
      if (!isJsonObject(value)) return [`${below}: must be an object`];
      return Object.entries(value).flatMap(([name, member]) => schemaProblems(member, `${below}.${name}`));
    }
    if (!SCHEMA_LISTS.has(keyword)) return [];
    if (!Array.isArray(value)) return [`${below}: must be a list`];
    return value.flatMap((item, index) => schemaProblems(item, `${below}[${index}]`));
  });
}
