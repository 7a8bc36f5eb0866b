import type { JsonSchema } from '../../api/schema/json-schema.js';

/** A schema as in a CRD, including the fields of JSONSchemaProps that the SDK does not use itself. */
export type StructuralSchema = JsonSchema;

/** Returns the schema of a member; undefined for unknown members. */
export function memberSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Returns true if null is valid: the API server never finds null in an enum, even if the enum lists it. */
export function acceptsNull({ nullable, enum: values }: StructuralSchema): boolean {
  return nullable === true && values === undefined;
}

export function preservesUnknown(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

export function isEmbeddedResource(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

export function isIntOrString(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-int-or-string'] === true;
}
