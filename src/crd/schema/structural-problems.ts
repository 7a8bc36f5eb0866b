import { forbiddenField, invalidValue, required, type FieldError } from '../../api/protocol/field-error.js';
import { patternError } from '../../base/pattern.js';
import { completenessProblems } from './completeness-problems.js';
import { nestedProblems } from './nested-problems.js';
import { itemsOf, propertiesOf, valuesOf, type SchemaProps } from '../schema-props.js';

type Level = 'root' | 'item' | 'field';

const UNTYPED: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** Returns the structural errors of a schema: ValidateStructural, in its order. */
export function structuralProblems(schema: SchemaProps, field: string): FieldError[] {
  const errors = [...invariantProblems(schema, 'root', field), ...completenessProblems(schema, field)];
  const text = (error: FieldError): string => `${error.field}: ${error.body}`;
  return errors.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

function invariantProblems(schema: SchemaProps, level: Level, field: string): FieldError[] {
  const [items, values] = [itemsOf(schema), valuesOf(schema)];
  return [
    ...(schema.type === 'array' && !items ? [required(`${field}.items`, 'must be specified')] : []),
    ...(items ? invariantProblems(items, 'item', `${field}.items`) : []),
    ...propertiesOf(schema).flatMap(([name, one]) => invariantProblems(one, 'field', `${field}.properties[${name}]`)),
    ...(isPresent(schema.additionalProperties) && level === 'root'
      ? [forbiddenField(`${field}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(values ? invariantProblems(values, 'field', `${field}.additionalProperties`) : []),
    ...extensionProblems(schema, field),
    ...nestedProblems(schema, field, patternError),
    ...typeProblems(schema, level, field),
    ...resourceProblems(schema, level, field),
  ];
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function extensionProblems(schema: SchemaProps, field: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  return ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']
    .filter((key) => (schema as Readonly<Record<string, unknown>>)[key] === true)
    .map((key) => invalidValue(`${field}.${key}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

function typeProblems(schema: SchemaProps, level: Level, field: string): FieldError[] {
  const { type = '' } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const errors = isEmbedded ? embeddedTypeProblems(schema, field) : [];
  if (!isEmbedded && type === '' && !isLoose(schema)) errors.push(required(`${field}.type`, UNTYPED[level]));
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(invalidValue(`${field}.type`, type, 'must be object at the root'));
  return errors;
}

/** Reports whether the type of a schema is optional. */
function isLoose(schema: SchemaProps): boolean {
  return schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function embeddedTypeProblems({ type = '', additionalProperties }: SchemaProps, field: string): FieldError[] {
  const [path, detail] = [`${field}.type`, 'must be object if x-kubernetes-embedded-resource is true'];
  const wrong = type === '' ? required(path, detail) : invalidValue(path, type, detail);
  const ban = 'must not be used if x-kubernetes-embedded-resource is set';
  return [
    ...(type === 'object' ? [] : [wrong]),
    ...(isPresent(additionalProperties) ? [forbiddenField(`${field}.additionalProperties`, ban)] : []),
  ];
}

/** Returns errors for restrictions on apiVersion, kind and metadata, which a schema may hardly restrict. */
function resourceProblems(schema: SchemaProps, level: Level, field: string): FieldError[] {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isResource = level === 'root' || isEmbedded;
  const { properties = {} } = schema;
  const typed = (name: string, type: string): FieldError[] => {
    const found = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return found && isResource && found.type !== type
      ? [invalidValue(`${field}.properties[${name}].type`, found.type ?? '', `must be ${type}`)]
      : [];
  };
  const { metadata } = properties;
  return [
    ...typed('kind', 'string'),
    ...typed('apiVersion', 'string'),
    ...typed('metadata', 'object'),
    ...(metadata && level === 'root' && !isNameOnly(metadata)
      ? [
          forbiddenField(
            `${field}.properties[metadata]`,
            'must not specify anything other than name and generateName, but metadata is implicitly specified',
          ),
        ]
      : []),
    ...(isEmbedded && schema['x-kubernetes-preserve-unknown-fields'] !== true && Object.keys(properties).length === 0
      ? [
          required(
            `${field}.properties`,
            'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
          ),
        ]
      : []),
  ];
}

function isNameOnly(metadata: SchemaProps): boolean {
  const names = Object.keys(metadata.properties ?? {});
  if (!names.every((name) => name === 'name' || name === 'generateName')) return false;
  const rest = Object.entries(metadata).filter(
    ([key, value]) => !['type', 'properties', 'default'].includes(key) && isMeaningful(value),
  );
  return rest.length === 0;
}

function isMeaningful(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false;
}
