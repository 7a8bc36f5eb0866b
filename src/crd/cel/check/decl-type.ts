import { isIntOrString } from '../../schema/structural-schema.js';
import { hasDefault, itemsOf, propertiesOf, valuesOf, type SchemaProps } from '../../schema-props.js';
import type { JsonSchema } from '../../../api/schema/json-schema.js';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, listOf, mapOf, type CelType } from './cel-type.js';
import { escapeName } from '../../../api/schema/cel-name.js';

/** The type that a schema declares, with the maximum size of its values. */
export interface DeclType {
  readonly type: CelType;
  /** Maximum number of characters, items or entries. */
  readonly maxElements: number;
  /** Size in bytes of the smallest value as JSON. */
  readonly minSize: number;
  readonly fields?: ReadonlyMap<string, DeclType>;
  readonly element?: DeclType;
  readonly key?: DeclType;
}

/** The maximum size of a request, in bytes. */
export const MAX_REQUEST = 3 * 1024 * 1024;
/** The server counts no elements in scalars, objects and map keys. */
const NO_ELEMENTS = 0;
const MIN_DATE_TIME = 21;
const DATE_SIZE = 12;
const TIME_SIZE = 32;

const META: SchemaProps = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
};

/** Returns the type of a schema; undefined when rules cannot use it: SchemaDeclType of apiserver/pkg/cel/common. */
export function declTypeOf(schema: SchemaProps, isResource: boolean, name = 'selfType'): DeclType | undefined {
  if (isIntOrString(schema as JsonSchema)) return sized(DYN, textLimit(schema), 1);
  switch (schema.type) {
    case 'array':
      return listType(schema, name);
    case 'object':
      return valuesOf(schema) ? mapType(schema, name) : objectType(schema, isResource, name);
    case 'string':
      return stringType(schema);
    case 'boolean':
      return sized(BOOL, NO_ELEMENTS, 4);
    case 'number':
      return sized(DOUBLE, NO_ELEMENTS, 1);
    case 'integer':
      return sized(INT, NO_ELEMENTS, 1);
    default:
      return undefined;
  }
}

function sized(type: CelType, maxElements: number, minSize: number): DeclType {
  return { type, maxElements, minSize };
}

function isEmbedded(schema: SchemaProps): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

function listType(schema: SchemaProps, name: string): DeclType | undefined {
  const items = itemsOf(schema);
  const element = items && declTypeOf(items, isEmbedded(items), `${name}.@idx`);
  if (!element) return undefined;
  const most = schema.maxItems ?? Math.trunc((MAX_REQUEST - 2) / (element.minSize + 1));
  return { type: listOf(element.type), maxElements: Math.max(0, most), minSize: 2, element };
}

function mapType(schema: SchemaProps, name: string): DeclType | undefined {
  const values = valuesOf(schema);
  const element = values && declTypeOf(values, isEmbedded(values), `${name}.@elem`);
  if (!element) return undefined;
  const most = schema.maxProperties ?? Math.trunc((MAX_REQUEST - 2) / (element.minSize + 6));
  const key = sized(STRING, NO_ELEMENTS, 2);
  return { type: mapOf(STRING, element.type), maxElements: Math.max(0, most), minSize: 2, element, key };
}

function objectType(schema: SchemaProps, isResource: boolean, name: string): DeclType {
  const fields = new Map<string, DeclType>();
  const required = new Set(schema.required ?? []);
  let minSize = 2;
  for (const [property, one] of propertiesOf(isResource ? withMeta(schema) : schema)) {
    const field = escapeName(property);
    const type = declTypeOf(one, isEmbedded(one), `${name}.${field ?? property}`);
    if (!type) continue;
    if (field !== undefined) fields.set(field, type);
    if (required.has(property) && !hasDefault(one)) minSize += Buffer.byteLength(property) + type.minSize + 4;
  }
  const types = new Map([...fields].map(([field, { type }]) => [field, type]));
  return { type: { kind: 'struct', name, params: [], fields: types }, maxElements: NO_ELEMENTS, minSize, fields };
}

/** Adds kind, apiVersion, metadata.name and metadata.generateName; rules cannot access other metadata. */
function withMeta(schema: SchemaProps): SchemaProps {
  const { properties = {} } = schema;
  const names = properties.metadata?.properties ?? {};
  const isString = (one: SchemaProps | undefined): boolean => one?.type === 'string';
  const isComplete =
    isString(properties.kind) &&
    isString(properties.apiVersion) &&
    isString(names.name) &&
    isString(names.generateName);
  if (isComplete) return schema;
  const meta = { kind: { type: 'string' }, apiVersion: { type: 'string' }, metadata: META };
  return { ...schema, properties: { ...properties, ...meta } };
}

function stringType(schema: SchemaProps): DeclType {
  switch (schema.format) {
    case 'byte':
      return sized(BYTES, schema.maxLength === undefined ? MAX_REQUEST - 2 : Math.max(0, schema.maxLength), 2);
    case 'duration':
      return sized(DURATION, TIME_SIZE, 3);
    case 'date':
      return sized(TIMESTAMP, DATE_SIZE, DATE_SIZE);
    case 'date-time':
      return sized(TIMESTAMP, TIME_SIZE, MIN_DATE_TIME);
    default:
      return sized(STRING, textLimit(schema), 2);
  }
}

/**
 * Maximum length of a string: four bytes per character where a schema limits it, otherwise the maximum request size.
 */
function textLimit({ maxLength, enum: values = [], ...schema }: SchemaProps): number {
  if (maxLength !== undefined) return Math.max(0, maxLength) * 4;
  if (values.length === 0 || schema['x-kubernetes-int-or-string'] === true) return MAX_REQUEST - 2;
  return Math.max(0, ...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}
