import type { SchemaProps } from '../../crd/schema-props.js';
import { eachObject, isJsonObject, objectAt, stringAt, type JsonObject } from '../objects/api-object.js';

const REFERENCE = '#/components/schemas/';
/** The schema of values with several possible types. */
const ANY: JsonObject = { 'x-kubernetes-int-or-string': true };

/** Returns the schema of a kind in an OpenAPI v3 document with all references resolved. */
export function resolvedSchema(
  document: JsonObject,
  group: string,
  version: string,
  kind: string,
): SchemaProps | undefined {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  const found = Object.values(schemas).find((schema) =>
    eachObject(objectAt({ schema }, 'schema')['x-kubernetes-group-version-kind']).some(
      (each) => each.group === group && each.version === version && each.kind === kind,
    ),
  );
  return found === undefined ? undefined : resolved(found, schemas, []);
}

/** @param within names of the enclosing schemas; recursive references are not resolved */
function resolved(schema: unknown, schemas: JsonObject, within: readonly string[]): JsonObject {
  const { allOf, $ref, ...rest } = objectAt({ schema }, 'schema');
  const name = referenceOf($ref) ?? referenceOf(eachObject(allOf)[0]?.$ref);
  if (name !== undefined) return within.includes(name) ? {} : resolved(schemas[name], schemas, [...within, name]);
  if (rest.oneOf !== undefined && rest.type === undefined) return ANY;
  const { properties, items, additionalProperties } = rest;
  const below = (value: unknown): unknown => (isJsonObject(value) ? resolved(value, schemas, within) : value);
  return {
    ...rest,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, below(value)])),
    }),
    ...(items !== undefined && { items: below(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: below(additionalProperties) }),
  };
}

function referenceOf(reference: unknown): string | undefined {
  const name = stringAt({ reference }, 'reference');
  return name.startsWith(REFERENCE) ? name.slice(REFERENCE.length) : undefined;
}
