import { forbiddenField, invalidValue, notSupportedText, type FieldError } from '../../api/protocol/field-error.js';
import { isJsonObject } from '../../base/json-object.js';
import { itemListOf, itemsOf, propertiesOf, valuesOf, hasDefault, type SchemaProps } from '../schema-props.js';
import type { CelContext } from './cel-context.js';
import { listTypeProblems } from './list-type-problems.js';
import { celRuleProblems, ruleTextProblems } from './rule-problems.js';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META = new Set(['metadata', 'kind', 'apiVersion']);

/** The position of the check in a schema. */
interface Place {
  readonly isRoot?: boolean;
  readonly isInMeta?: boolean;
  /** The reason why defaults are forbidden. */
  readonly noDefaults?: string;
  /** The ancestor schema below which former values cannot be correlated. */
  readonly uncorrelated?: string;
}

interface Problems {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

/**
 * Returns the errors of a schema and its subschemas, those of rules last:
 * ValidateCustomResourceDefinitionOpenAPISchema.
 */
export function openApiSchemaProblems(
  schema: SchemaProps,
  field: string,
  context: CelContext | undefined,
): FieldError[] {
  const problems = visit(schema, field, { isRoot: true }, context);
  return [...problems.schema, ...problems.rules];
}

function visit(schema: SchemaProps, field: string, place: Place, context: CelContext | undefined): Problems {
  const found: Problems = { schema: keywordProblems(schema, field, place), rules: [] };
  const below = (child: Problems): void => {
    found.schema.push(...child.schema);
    found.rules.push(...child.rules);
  };
  visitStructure(schema, field, place, context, below);
  found.schema.push(...extensionProblems(schema, field), ...listTypeProblems(schema, field));
  found.schema.push(...ruleTextProblems(schema, field));
  // Rules are compiled only if their schema is valid.
  if (found.schema.length === 0 && context)
    found.rules.push(...celRuleProblems(schema, field, context, place.uncorrelated));
  return found;
}

const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;

/** Checks the keywords that specStandardValidatorV3 forbids, and uniqueItems. */
function keywordProblems(schema: SchemaProps, field: string, place: Place): FieldError[] {
  const { type = '' } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const bans: readonly (readonly [isFound: boolean, key: string, detail: string])[] = [
    [hasDefault(schema) && place.noDefaults !== undefined, 'default', `must not be set ${place.noDefaults ?? ''}`],
    ...UNSUPPORTED.map((key) => [isGiven(schema[key], key), key, `${key} is not supported`] as const),
    [type === 'null', 'type', 'type cannot be set to null, use nullable as an alternative'],
    [itemListOf(schema).length > 0, 'items', 'items must be a schema object and not an array'],
    [
      place.isInMeta === true && isEmbedded,
      'x-kubernetes-embedded-resource',
      'must not be used inside of resource meta',
    ],
    [
      schema.uniqueItems === true,
      'uniqueItems',
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ],
  ];
  return [
    ...(type === '' || TYPES.includes(type) ? [] : [notSupportedText(`${field}.type`, type, TYPES)]),
    ...bans.filter(([isFound]) => isFound).map(([, key, detail]) => forbiddenField(`${field}.${key}`, detail)),
  ];
}

function isGiven(value: unknown, key: string): boolean {
  if (value === undefined || value === null) return false;
  if (value === '') return key === '$ref'; // the other fields are not pointers in Go
  return (
    typeof value !== 'object' || key === 'dependencies' || key === 'additionalItems' || Object.keys(value).length > 0
  );
}

function visitStructure(
  schema: SchemaProps,
  field: string,
  place: Place,
  context: CelContext | undefined,
  below: (child: Problems) => void,
): void {
  const { isRoot, ...inner } = place;
  visitValues(schema, field, inner, context, below);
  const isResource = isRoot === true || schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, one] of propertiesOf(schema)) {
    const propertyPlace = { ...placeOfProperty(schema, field, inner), ...(isResource && metaPlace(name, isRoot)) };
    below(visit(one, `${field}.properties[${name}]`, propertyPlace, context?.property(name, one)));
  }
  visitJunctors(schema, field, inner, below);
  const items = itemsOf(schema);
  const itemPlace = schema['x-kubernetes-list-type'] === 'map' ? inner : uncorrelatedAt(field, inner);
  if (items) below(visit(items, `${field}.items`, itemPlace, context?.element(items)));
  itemListOf(schema).forEach((one, index) => {
    below(visit(one, `${field}.items[${index}]`, itemPlace, undefined));
  });
}

function visitValues(
  schema: SchemaProps,
  field: string,
  place: Place,
  context: CelContext | undefined,
  below: (child: Problems) => void,
): void {
  const { additionalProperties } = schema;
  const path = `${field}.additionalProperties`;
  if (additionalProperties !== undefined && additionalProperties !== true && propertiesOf(schema).length > 0)
    below(onlySchema(forbiddenField(path, 'additionalProperties and properties are mutual exclusive')));
  const values = valuesOf(schema);
  if (!values) return;
  const reason = 'inside additionalProperties applying to object metadata';
  const valuePlace = place.isInMeta === true ? { ...place, noDefaults: reason } : place;
  below(visit(values, path, valuePlace, context?.element(values)));
}

function onlySchema(...schema: FieldError[]): Problems {
  return { schema, rules: [] };
}

function placeOfProperty(schema: SchemaProps, field: string, place: Place): Place {
  const mapType = schema['x-kubernetes-map-type'];
  return mapType === undefined || mapType === 'granular' || mapType === 'atomic' ? place : uncorrelatedAt(field, place);
}

function uncorrelatedAt(field: string, place: Place): Place {
  return place.uncorrelated === undefined ? { ...place, uncorrelated: field } : place;
}

function metaPlace(name: string, isRoot: boolean | undefined): Place {
  if (!META.has(name)) return {};
  return { isInMeta: true, ...(isRoot === true && { noDefaults: `in top-level ${name}` }) };
}

function visitJunctors(schema: SchemaProps, field: string, place: Place, below: (child: Problems) => void): void {
  if (schema.not) below(visit(schema.not, `${field}.not`, place, undefined));
  for (const key of ['allOf', 'oneOf', 'anyOf'] as const) {
    (schema[key] ?? []).forEach((one, index) => {
      below(visit(one, `${field}.${key}[${index}]`, place, undefined));
    });
  }
  for (const key of ['definitions', 'dependencies'] as const) {
    for (const [name, one] of Object.entries(schema[key] ?? {}) as [string, SchemaProps | null][])
      if (isJsonObject(one)) below(visit(one, `${field}.${key}[${name}]`, place, undefined));
  }
}

function extensionProblems(schema: SchemaProps, field: string): FieldError[] {
  return schema['x-kubernetes-preserve-unknown-fields'] === false
    ? [invalidValue(`${field}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')]
    : [];
}
