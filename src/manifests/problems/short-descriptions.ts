import type { UnstructuredObject } from '../../api/kube-object.js';
import { shortDescription } from '../crd/short-description.js';

/** Returns a CustomResourceDefinition with descriptions cut to the given length; 0 removes them. */
export function withShortDescriptions<T extends UnstructuredObject>(crd: T, maxLength: number): T {
  if (maxLength === Infinity) return crd;
  const { versions = [] } = crd['spec'] as { versions?: { schema?: { openAPIV3Schema?: unknown } }[] };
  const shortened = versions.map(({ schema, ...version }) => ({
    ...version,
    schema: { openAPIV3Schema: shortSchema(schema?.openAPIV3Schema, maxLength) },
  }));
  return { ...crd, spec: { ...(crd['spec'] as object), versions: shortened } };
}

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const SCHEMA = ['items', 'additionalProperties', 'not'];
const SCHEMAS = ['allOf', 'anyOf', 'oneOf'];

function shortSchema(schema: unknown, maxLength: number): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]: [string, unknown]): [string, unknown][] => {
      if (keyword === 'description' && typeof value === 'string') {
        const text = shortDescription(value, maxLength);
        return text === '' ? [] : [[keyword, text]];
      }
      return [[keyword, shortMember(keyword, value, maxLength)]];
    }),
  );
}

function shortMember(keyword: string, value: unknown, maxLength: number): unknown {
  if (SCHEMA.includes(keyword)) return shortSchema(value, maxLength);
  if (SCHEMAS.includes(keyword) && Array.isArray(value))
    return value.map((schema: unknown) => shortSchema(schema, maxLength));
  if (keyword !== 'properties' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, shortSchema(schema as unknown, maxLength)]),
  );
}
