import { itemListOf, itemsOf, propertiesOf, valuesOf, type SchemaProps } from '../schema-props.js';

/** Returns the error of converting a schema to a structural schema: NewStructural. */
export function structuralConversionError(schema: SchemaProps): string | undefined {
  const own = unsupported(schema);
  if (own !== undefined) return own;
  const { not, allOf = [], anyOf = [], oneOf = [] } = schema;
  const below = [not, ...allOf, ...anyOf, ...oneOf, itemsOf(schema), ...propertiesOf(schema).map(([, one]) => one)];
  for (const one of [...below, valuesOf(schema)]) {
    const error = one && structuralConversionError(one);
    if (error !== undefined) return error;
  }
  return undefined;
}

function unsupported(schema: SchemaProps): string | undefined {
  for (const key of ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions']) {
    const value = (schema as Readonly<Record<string, unknown>>)[key];
    if (isSet(value, key)) return `OpenAPIV3Schema '${key.replace('$schema', 'schema')}' is not supported`;
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  return itemListOf(schema).length > 0 ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined;
}

function isSet(value: unknown, key: string): boolean {
  if (value === undefined || value === null || value === '') return false;
  return key === 'additionalItems' || typeof value !== 'object' || Object.keys(value).length > 0;
}
