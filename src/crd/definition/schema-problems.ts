import { invalidTyped, forbiddenField, invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { defaultProblems } from './default-problems.js';
import type { SchemaProps } from '../schema-props.js';
import { structuralConversionError } from '../schema/structural-conversion.js';
import { structuralProblems } from '../schema/structural-problems.js';
import { CelContext } from './cel-context.js';
import { SCHEMA_FIELDS, goSchema } from './go-schema.js';
import { openApiSchemaProblems } from './openapi-schema-problems.js';

/** The fields allowed at the root of a schema with a status subresource, in Kubernetes' order. */
const ALLOWED_WITH_STATUS =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';
const ALLOWED = new Set(ALLOWED_WITH_STATUS.split(' '));

/** Returns the errors of a version's schema: validateCustomResourceDefinitionValidation. */
export function schemaProblems(schema: SchemaProps | undefined, path: string, hasStatus: boolean): FieldError[] {
  if (schema === undefined) return [];
  const field = `${path}.openAPIV3Schema`;
  const errors = hasStatus ? rootProblems(schema, field) : [];
  if (schema.nullable === true) errors.push(forbiddenField(`${field}.nullable`, 'nullable cannot be true at the root'));
  const conversionError = structuralConversionError(schema);
  const structural = conversionError === undefined ? firstProblems(schema, field) : [];
  errors.push(...structural);
  const isStructural = conversionError === undefined && structural.length === 0;
  const context = isStructural ? CelContext.root(schema) : undefined;
  errors.push(...openApiSchemaProblems(schema, field, context));
  if (errors.length === 0 && conversionError !== undefined) errors.push(invalidValue(field, '', conversionError));
  return context ? [...errors, ...context.totalCost.problems(field)] : errors;
}

/** Defaults are checked only in structural schemas, and rules only if the defaults are valid. */
function firstProblems(schema: SchemaProps, field: string): FieldError[] {
  const errors = structuralProblems(schema, field);
  return errors.length > 0 ? errors : defaultProblems(schema, field);
}

/** In fields that hold a schema or a boolean, false counts as set. */
function isUnset(value: unknown, name: string): boolean {
  return value === undefined || value === null || value === '' || (value === false && !name.startsWith('additional'));
}

function rootProblems(schema: SchemaProps, field: string): FieldError[] {
  for (const [go, json] of SCHEMA_FIELDS) {
    const value = schema[json];
    if (isUnset(value, json)) continue;
    if (go === 'Type' && value !== 'object')
      return [
        invalidValue(
          `${field}.type`,
          value,
          'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
        ),
      ];
    if (!ALLOWED.has(go))
      return [
        invalidTyped(
          field,
          goSchema(schema),
          `only [${ALLOWED_WITH_STATUS}] fields are allowed at the root of the schema if the status subresource is enabled`,
        ),
      ];
  }
  return [];
}
