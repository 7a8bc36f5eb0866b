import type { ValidationRule } from '../api/schema/json-schema.js';

/** JSONSchemaProps of apiextensions/v1 as a client may send it, including fields that CRDs must not use. */
export interface SchemaProps {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly unknown[];
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: SchemaProps | readonly SchemaProps[];
  readonly allOf?: readonly SchemaProps[];
  readonly oneOf?: readonly SchemaProps[];
  readonly anyOf?: readonly SchemaProps[];
  readonly not?: SchemaProps;
  readonly properties?: Readonly<Record<string, SchemaProps>>;
  readonly additionalProperties?: SchemaProps | boolean;
  readonly patternProperties?: Readonly<Record<string, SchemaProps>>;
  readonly dependencies?: Readonly<Record<string, SchemaProps | readonly string[] | null>>;
  readonly additionalItems?: SchemaProps | boolean;
  readonly definitions?: Readonly<Record<string, SchemaProps>>;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly example?: unknown;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** Returns the schema of all items; undefined when it is missing or a list of schemas. */
export function itemsOf({ items }: SchemaProps): SchemaProps | undefined {
  return isSchemaList(items) ? undefined : (items ?? undefined);
}

/** Returns the schemas by index, which are forbidden in CRDs. */
export function itemListOf({ items }: SchemaProps): readonly SchemaProps[] {
  return isSchemaList(items) ? items : [];
}

/** Lists in a request can contain null. */
function isGiven(below: SchemaProps | null | undefined): below is SchemaProps {
  return below !== undefined && below !== null;
}

/** A dependency can be a list of names or null. */
function isSchema(value: SchemaProps | readonly string[] | null): value is SchemaProps {
  return value !== null && !Array.isArray(value);
}

function isSchemaList(items: SchemaProps['items']): items is readonly SchemaProps[] {
  return Array.isArray(items);
}

/** Returns the schema of additional properties; undefined when it is missing or a boolean. */
export function valuesOf({ additionalProperties }: SchemaProps): SchemaProps | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

export function propertiesOf({ properties }: SchemaProps): [string, SchemaProps][] {
  return Object.entries(properties ?? {});
}

export function hasDefault(schema: SchemaProps): boolean {
  return schema.default !== undefined && schema.default !== null;
}

/** Reports whether the schema or any subschema passes the test. */
export function someSchema(schema: SchemaProps | undefined, test: (schema: SchemaProps) => boolean): boolean {
  if (schema === undefined) return false;
  return test(schema) || schemasBelow(schema).some((below) => someSchema(below, test));
}

/** Returns the direct subschemas, including those of conditions. */
export function schemasBelow(schema: SchemaProps): SchemaProps[] {
  const { allOf, anyOf, oneOf, not, properties, patternProperties, definitions, dependencies, additionalItems } =
    schema;
  const dependent = Object.values(dependencies ?? {}).filter(isSchema);
  return [
    itemsOf(schema),
    ...itemListOf(schema),
    ...[allOf, anyOf, oneOf].flatMap((schemas) => schemas ?? []),
    not,
    ...[properties, patternProperties, definitions].flatMap((schemas) => Object.values(schemas ?? {})),
    valuesOf(schema),
    typeof additionalItems === 'object' ? additionalItems : undefined,
    ...dependent,
  ].filter(isGiven);
}
