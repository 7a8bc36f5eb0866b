import type { JsonSchema } from '../api/json-schema.js';

const DOCUMENTATION = new Set(['description', 'title', 'example', 'externalDocs']);

/** Returns a schema without the keywords that do not affect validation. */
export function undocumented(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties, ...rest } = schema;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([keyword]) => !DOCUMENTATION.has(keyword))),
    ...(properties && { properties: eachUndocumented(properties) }),
    ...(items && { items: undocumented(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: undocumented(additionalProperties) }
      : { additionalProperties }),
  } as JsonSchema;
}

function eachUndocumented(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, undocumented(schema)]));
}
