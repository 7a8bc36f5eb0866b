import type { ValidationRule } from '../../api/schema/json-schema.js';
import { eachObject, isJsonObject, type JsonObject } from '../../base/json-object.js';
import type { SchemaProps } from '../schema-props.js';

/** Converts to the Go type apiextensions.ValidationRule, which has no JSON names. */
export function goRule(rule: ValidationRule): JsonObject {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

type Convert = (value: unknown) => unknown;

const TEXT: Convert = (value) => value ?? '';
const FLAG: Convert = (value) => value ?? false;
const ANY: Convert = (value) => value ?? null;
const ONE: Convert = (value) => (isJsonObject(value) ? goSchema(value) : null);
const LIST: Convert = (value) => (Array.isArray(value) ? value.map(ONE) : null);
const MAP: Convert = (value) =>
  isJsonObject(value) ? Object.fromEntries(sorted(value).map(([key, schema]) => [key, ONE(schema)])) : null;
const OR_LIST: Convert = (value) =>
  value === undefined || value === null
    ? null
    : Array.isArray(value)
      ? { Schema: null, JSONSchemas: LIST(value) }
      : { Schema: ONE(value), JSONSchemas: null };
const OR_FLAG: Convert = (value) =>
  value === undefined || value === null
    ? null
    : typeof value === 'boolean'
      ? { Allows: value, Schema: null }
      : { Allows: true, Schema: ONE(value) };
const DEPENDENCIES: Convert = (value) =>
  isJsonObject(value)
    ? Object.fromEntries(
        sorted(value).map(([key, one]) => [
          key,
          Array.isArray(one) ? { Schema: null, Property: one } : { Schema: ONE(one), Property: null },
        ]),
      )
    : null;
const DOCS: Convert = (value) =>
  isJsonObject(value) ? { Description: TEXT(value.description), URL: TEXT(value.url) } : null;
const RULES: Convert = (value) => (Array.isArray(value) ? (value as ValidationRule[]).map(goRule) : null);

function sorted(value: JsonObject): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The fields of apiextensions.JSONSchemaProps in order: name in Go, name in JSON, conversion. */
export const SCHEMA_FIELDS: readonly (readonly [go: string, json: keyof SchemaProps, convert: Convert])[] = [
  ['ID', 'id', TEXT],
  ['Schema', '$schema', TEXT],
  ['Ref', '$ref', ANY],
  ['Description', 'description', TEXT],
  ['Type', 'type', TEXT],
  ['Nullable', 'nullable', FLAG],
  ['Format', 'format', TEXT],
  ['Title', 'title', TEXT],
  ['Default', 'default', ANY],
  ['Maximum', 'maximum', ANY],
  ['ExclusiveMaximum', 'exclusiveMaximum', FLAG],
  ['Minimum', 'minimum', ANY],
  ['ExclusiveMinimum', 'exclusiveMinimum', FLAG],
  ['MaxLength', 'maxLength', ANY],
  ['MinLength', 'minLength', ANY],
  ['Pattern', 'pattern', TEXT],
  ['MaxItems', 'maxItems', ANY],
  ['MinItems', 'minItems', ANY],
  ['UniqueItems', 'uniqueItems', FLAG],
  ['MultipleOf', 'multipleOf', ANY],
  ['Enum', 'enum', ANY],
  ['MaxProperties', 'maxProperties', ANY],
  ['MinProperties', 'minProperties', ANY],
  ['Required', 'required', ANY],
  ['Items', 'items', OR_LIST],
  ['AllOf', 'allOf', LIST],
  ['OneOf', 'oneOf', LIST],
  ['AnyOf', 'anyOf', LIST],
  ['Not', 'not', ONE],
  ['Properties', 'properties', MAP],
  ['AdditionalProperties', 'additionalProperties', OR_FLAG],
  ['PatternProperties', 'patternProperties', MAP],
  ['Dependencies', 'dependencies', DEPENDENCIES],
  ['AdditionalItems', 'additionalItems', OR_FLAG],
  ['Definitions', 'definitions', MAP],
  ['ExternalDocs', 'externalDocs', DOCS],
  ['Example', 'example', ANY],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', ANY],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', FLAG],
  ['XIntOrString', 'x-kubernetes-int-or-string', FLAG],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', ANY],
  ['XListType', 'x-kubernetes-list-type', ANY],
  ['XMapType', 'x-kubernetes-map-type', ANY],
  ['XValidations', 'x-kubernetes-validations', RULES],
];

/** Converts to the Go type apiextensions.JSONSchemaProps, which has no JSON names. */
export function goSchema(schema: SchemaProps | JsonObject): JsonObject {
  const values: JsonObject = { ...schema };
  return Object.fromEntries(SCHEMA_FIELDS.map(([go, json, convert]) => [go, convert(values[json])]));
}

/** Converts to the Go type apiextensions.CustomResourceDefinitionVersion, which has no JSON names. */
export function goVersion(version: JsonObject): JsonObject {
  const { subresources, additionalPrinterColumns, selectableFields, schema } = version;
  return {
    Name: TEXT(version.name),
    Served: FLAG(version.served),
    Storage: FLAG(version.storage),
    Deprecated: FLAG(version.deprecated),
    DeprecationWarning: ANY(version.deprecationWarning),
    Schema: isJsonObject(schema) ? { OpenAPIV3Schema: ONE(schema.openAPIV3Schema) } : null,
    Subresources: isJsonObject(subresources) ? goSubresources(subresources) : null,
    AdditionalPrinterColumns: Array.isArray(additionalPrinterColumns) ? additionalPrinterColumns.map(goColumn) : null,
    SelectableFields: Array.isArray(selectableFields)
      ? eachObject(selectableFields).map(({ jsonPath }) => ({ JSONPath: TEXT(jsonPath) }))
      : null,
  };
}

function goSubresources({ status, scale }: JsonObject): JsonObject {
  return {
    Status: isJsonObject(status) ? {} : null,
    Scale: isJsonObject(scale)
      ? {
          SpecReplicasPath: TEXT(scale.specReplicasPath),
          StatusReplicasPath: TEXT(scale.statusReplicasPath),
          LabelSelectorPath: ANY(scale.labelSelectorPath),
        }
      : null,
  };
}

function goColumn(column: JsonObject): JsonObject {
  return {
    Name: TEXT(column.name),
    Type: TEXT(column.type),
    Format: TEXT(column.format),
    Description: TEXT(column.description),
    Priority: column.priority ?? 0,
    JSONPath: TEXT(column.jsonPath),
  };
}
