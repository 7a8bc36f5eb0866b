import { stringifyJson } from '../../base/json.js';
import { isJsonObject, type JsonObject } from '../objects/api-object.js';

/** Converts a map to the form of its message: a list of named values. */
export function namedEntries(members: JsonObject): JsonObject {
  return { entries: Object.entries(members).map(([name, value]) => ({ name, value })) };
}

/** Adds the list of the members with names that begin with x-. */
export function withExtensions(value: JsonObject): JsonObject {
  const extensions = Object.entries(value).filter(([name]) => name.startsWith('x-'));
  return { ...value, extensions: extensions.map(([name, each]) => ({ name, value: each })) };
}

/** Converts `additionalProperties`, a schema or a boolean. */
export function additionalProperties(value: unknown): JsonObject {
  return isJsonObject(value) ? { schema: value } : { boolean: value };
}

/** Converts any value to YAML; JSON is YAML. */
export function yamlValue(value: unknown): JsonObject {
  return { yaml: `${stringifyJson(value)}\n` };
}
