import type { JsonSchema } from '../api/schema/json-schema.js';
import type { SecretPath } from '../api/access/redaction.js';
import type { FieldModel, ValueModel } from './fields/value-model.js';
import type { ResourceModel } from './model.js';

/** Deeper fields are not searched: classes may contain themselves. */
const MAX_DEPTH = 12;

/** Returns the paths of the fields with `format: password`. */
export function passwordFields({ fields }: Pick<ResourceModel, 'fields'>): SecretPath[] {
  return ofFields(fields, []);
}

function ofFields(fields: readonly FieldModel[], path: SecretPath): SecretPath[] {
  return fields.flatMap(({ name, value }) => ofValue(value, [...path, name]));
}

function ofValue(value: ValueModel, path: SecretPath): SecretPath[] {
  if (path.length > MAX_DEPTH) return [];
  if (value.schema) return ofSchema(value.schema, path);
  if (value.rules.format === 'password') return [path];
  const inner = [...path, '*'];
  return [
    ...(value.class ? ofFields(value.class.fields, path) : []),
    ...(value.items ? ofValue(value.items, inner) : []),
    ...(typeof value.values === 'object' ? ofValue(value.values, inner) : []),
  ];
}

function ofSchema(schema: JsonSchema, path: SecretPath): SecretPath[] {
  if (path.length > MAX_DEPTH) return [];
  if (schema.format === 'password') return [path];
  const { properties = {}, items, additionalProperties } = schema;
  const inner = [...path, '*'];
  return [
    ...Object.entries(properties).flatMap(([name, member]) => ofSchema(member, [...path, name])),
    ...(isSchema(items) ? ofSchema(items, inner) : []),
    ...(isSchema(additionalProperties) ? ofSchema(additionalProperties, inner) : []),
  ];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
