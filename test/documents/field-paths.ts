import { isJsonObject, objectAt } from '../../src/base/json-object.js';

/** Names that can be part of an argument of kubectl explain. */
const ADDRESSABLE = /^[A-Za-z][\w-]*$/;

/** Returns the path of each field of a schema as kubectl explain writes it: `spec.items.name`. */
export function fieldPaths(schema: unknown, path: readonly string[] = []): string[] {
  if (!isJsonObject(schema)) return [];
  const fields = Object.entries(objectAt(schema, 'properties')).filter(([name]) => ADDRESSABLE.test(name));
  return [
    ...fields.flatMap(([name, below]) => [[...path, name].join('.'), ...fieldPaths(below, [...path, name])]),
    ...fieldPaths(schema.items, path),
    ...fieldPaths(schema.additionalProperties, path),
  ];
}
