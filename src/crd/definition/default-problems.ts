import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import type { JsonSchema } from '../../api/schema/json-schema.js';
import { invalidValue, type FieldError } from '../../api/protocol/field-error.js';
import { compileRules } from '../cel/compile-rules.js';
import { embeddedResourceProblems } from '../schema/embedded-resource-problems.js';
import { prune } from '../schema/prune.js';
import { SchemaValidator } from '../schema/schema-validator.js';
import { hasDefault, itemsOf, propertiesOf, type SchemaProps } from '../schema-props.js';

const META = ['metadata', 'apiVersion', 'kind'];
const EMBEDDED = 'x-kubernetes-embedded-resource';
const NOBODY = { unknown: (): void => undefined };

/** Builds an object around a default inside metadata. */
type Surround = (value: unknown) => JsonObject;

const asObject: Surround = (value) => (isJsonObject(value) ? value : {});

/** Returns the errors of defaults: ValidateDefaults of apiextensions' schema/defaulting. */
export function defaultProblems(root: SchemaProps, field: string): FieldError[] {
  return visit(root, field, true, asObject, false);
}

function visit(
  schema: SchemaProps,
  field: string,
  isResource: boolean,
  surround: Surround,
  isInMeta: boolean,
): FieldError[] {
  const isEmbedded = isResource || schema[EMBEDDED] === true;
  const isMeta = isInMeta && !isEmbedded;
  const around = isEmbedded ? asObject : surround;
  const items = itemsOf(schema);
  return [
    ...(hasDefault(schema) ? ownProblems(schema, `${field}.default`, isEmbedded, isMeta ? around : undefined) : []),
    ...(items ? visit(items, `${field}.items`, false, (value) => around([value]), isMeta) : []),
    ...propertiesOf(schema).flatMap(([name, one]) =>
      visit(
        one,
        `${field}.properties[${name}]`,
        false,
        (value) => around({ [name]: value }),
        isMeta || (isEmbedded && META.includes(name)),
      ),
    ),
  ];
}

function ownProblems(
  schema: SchemaProps,
  field: string,
  isEmbedded: boolean,
  around: Surround | undefined,
): FieldError[] {
  const value = schema.default;
  const errors = around ? [] : unpruned(schema, value, field, isEmbedded);
  const invalid = around ? metaProblems(value, field, around) : embeddedProblems(schema, value, field, isEmbedded);
  if (invalid.length > 0) return [...errors, ...invalid];
  const type = schema as JsonSchema;
  const prefixed = new SchemaValidator(withoutUnions(type)).validate(value).map((error) => ({
    ...error,
    field: error.field === '' || error.field === '<nil>' ? field : `${field}.${error.field}`,
  }));
  return [...errors, ...(prefixed.length > 0 ? prefixed : ruleFailures(type, value, field))];
}

function ruleFailures(schema: JsonSchema, value: unknown, field: string): FieldError[] {
  const rules = compileRules(schema);
  const asChange = rules.validate(value, value, field);
  return asChange.length > 0 ? asChange : rules.validate(value, undefined, field);
}

function unpruned(schema: SchemaProps, value: unknown, field: string, isEmbedded: boolean): FieldError[] {
  const pruned = prune(schema as JsonSchema, value, NOBODY, '', isEmbedded);
  return deepEqual(pruned, value) ? [] : [invalidValue(field, value, 'must not have unknown fields')];
}

function metaProblems(value: unknown, field: string, around: Surround): FieldError[] {
  const object = { apiVersion: 'validation/v1', kind: 'Validation', ...around(value) };
  const [first] = embeddedResourceProblems(object, '');
  return first
    ? [invalidValue(field, value, `must result in valid metadata: ${first.field.replace(/^\./, '')}: ${first.body}`)]
    : [];
}

/** The server checks defaults against the structural schema, in which an int-or-string has no type. */
function withoutUnions<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map((item: unknown) => withoutUnions(item)) as T;
  if (!isJsonObject(schema)) return schema;
  const members = Object.entries(schema).filter(([key]) => key !== 'x-kubernetes-int-or-string');
  return Object.fromEntries(members.map(([key, member]) => [key, withoutUnions(member)])) as T;
}

/** Returns the errors of embedded resources in a default. */
function embeddedProblems(schema: SchemaProps, value: unknown, field: string, isEmbedded: boolean): FieldError[] {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return items
      ? value.flatMap((item: unknown, index) =>
          embeddedProblems(items, item, `${field}[${index}]`, items[EMBEDDED] === true),
        )
      : [];
  }
  if (!isJsonObject(value)) return [];
  const { properties = {}, additionalProperties } = schema;
  return [
    ...(isEmbedded ? embeddedResourceProblems(value, field) : []),
    ...Object.entries(value).flatMap(([name, member]) => {
      const named = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
      const type = named ?? values;
      const path = named ? `${field}.${name}` : `${field}[${name}]`;
      return type ? embeddedProblems(type, member, path, type[EMBEDDED] === true) : [];
    }),
  ];
}
