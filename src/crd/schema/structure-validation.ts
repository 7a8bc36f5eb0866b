import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../../api/field-error.js';
import { isJsonObject, type JsonObject, textOf } from '../../base/json-object.js';

const UNSUPPORTED = ['$ref', 'definitions', 'dependencies', 'patternProperties', 'additionalItems'];
const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Problems that keep a schema from being structural, and keywords CRDs may not use. */
export function validateStructure(schema: unknown, field: string): FieldError[] {
  if (!isJsonObject(schema)) return [required(field, 'schemas are required')];
  const errors = visit(schema, field);
  if (schema.type !== 'object')
    errors.push(invalidValue(`${field}.type`, schema.type ?? '', 'must be object at the root'));
  return errors;
}

function visit(schema: JsonObject, field: string): FieldError[] {
  const errors = typeErrors(schema, field);
  if (schema.uniqueItems === true)
    errors.push(
      forbiddenField(
        `${field}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  for (const keyword of UNSUPPORTED) {
    if (schema[keyword] !== undefined)
      errors.push(forbiddenField(`${field}.${keyword}`, `${keyword} is not supported`));
  }
  return [...errors, ...visitBelow(schema, field)];
}

function typeErrors(schema: JsonObject, field: string): FieldError[] {
  const { type } = schema;
  const isLoose =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === undefined)
    return isLoose ? [] : [required(`${field}.type`, 'must not be empty for specified object fields')];
  if (!TYPES.includes(textOf(type))) return [notSupported(`${field}.type`, type, TYPES)];
  return type === 'array' && schema.items === undefined ? [required(`${field}.items`, 'must be specified')] : [];
}

function visitBelow(schema: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { properties, items, additionalProperties } = schema;
  if (isJsonObject(properties)) {
    if (additionalProperties !== undefined && additionalProperties !== false) {
      errors.push(
        forbiddenField(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
      );
    }
    for (const [name, member] of Object.entries(properties)) {
      if (isJsonObject(member)) errors.push(...visit(member, `${field}.properties[${name}]`));
    }
  }
  if (isJsonObject(items)) errors.push(...visit(items, `${field}.items`));
  else if (Array.isArray(items))
    errors.push(forbiddenField(`${field}.items`, 'items must be a schema object and not an array'));
  if (isJsonObject(additionalProperties)) errors.push(...visit(additionalProperties, `${field}.additionalProperties`));
  return errors;
}
