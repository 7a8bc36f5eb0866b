import { forbiddenField, invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { hasDefault, itemsOf, propertiesOf, type SchemaProps } from '../schema-props.js';

/** Returns the error of an invalid pattern. */
type PatternCheck = (pattern: string) => string | undefined;

/** Returns the errors of a schema's value validation: its pattern, and the schemas in allOf, anyOf, oneOf and not. */
export function nestedProblems(schema: SchemaProps, field: string, check: PatternCheck): FieldError[] {
  const [first] = schema.allOf ?? [];
  return valueProblems(schema, field, check, isIntOrStringPair(schema.anyOf), isIntOrStringPair(first?.anyOf));
}

/** The pair of types that is allowed in a nested schema: `anyOf: [{type: integer}, {type: string}]`. */
function isIntOrStringPair(anyOf: readonly SchemaProps[] | undefined): boolean {
  const isOnlyType = (schema: SchemaProps | undefined, type: string): boolean =>
    schema !== undefined &&
    schema.type === type &&
    Object.entries(schema).every(([key, value]) => key === 'type' || value === undefined || value === null);
  return anyOf?.length === 2 && isOnlyType(anyOf[0], 'integer') && isOnlyType(anyOf[1], 'string');
}

function valueProblems(
  schema: SchemaProps,
  field: string,
  check: PatternCheck,
  skipsAnyOf: boolean,
  skipsAnyOfInFirst: boolean,
): FieldError[] {
  const each = (key: 'anyOf' | 'allOf' | 'oneOf'): FieldError[] =>
    (schema[key] ?? []).flatMap((one, index) =>
      nestedSchemaProblems(
        one,
        `${field}.${key}[${index}]`,
        check,
        key === 'allOf' && index === 0 && skipsAnyOfInFirst,
      ),
    );
  const reason = schema.pattern === undefined || schema.pattern === '' ? undefined : check(schema.pattern);
  return [
    ...(skipsAnyOf ? [] : each('anyOf')),
    ...each('allOf'),
    ...each('oneOf'),
    ...(schema.not ? nestedSchemaProblems(schema.not, `${field}.not`, check) : []),
    ...(reason === undefined
      ? []
      : [invalidValue(`${field}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${reason}`)]),
  ];
}

type Ban = readonly [key: keyof SchemaProps, detail: string];

const BANS: readonly Ban[] = [
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nestedSchemaProblems(
  schema: SchemaProps,
  field: string,
  check: PatternCheck,
  skipsAnyOf = false,
): FieldError[] {
  const { additionalProperties, properties } = schema;
  const items = itemsOf(schema);
  const ban = (key: string, detail: string): FieldError => forbiddenField(`${field}.${key}`, detail);
  return [
    ...valueProblems(schema, field, check, skipsAnyOf, false),
    ...(items ? nestedSchemaProblems(items, `${field}.items`, check) : []),
    ...propertiesOf(schema).flatMap(([name, one]) => nestedSchemaProblems(one, `${field}.properties[${name}]`, check)),
    ...(isUsed(schema.type) ? [ban('type', 'must be empty to be structural')] : []),
    ...(isUsed(additionalProperties) ? [ban('additionalProperties', 'must be undefined to be structural')] : []),
    ...(hasDefault(schema) ? [ban('default', 'must be undefined to be structural')] : []),
    ...BANS.filter(([key]) => isUsed(schema[key])).map(([key, detail]) => ban(key, detail)),
    ...(properties && Object.hasOwn(properties, 'metadata')
      ? [ban('properties[metadata]', 'must not be specified in a nested context')]
      : []),
  ];
}

function isUsed(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '' && value !== false;
}
