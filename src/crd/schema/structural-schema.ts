import type { JsonSchema } from '../../api/json-schema.js';

/** A schema as a CRD has it, with what JSONSchemaProps knows beyond the SDK's own. */
export type StructuralSchema = JsonSchema;

/** The schema of a member; undefined when the schema does not know it. */
export function memberSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
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
