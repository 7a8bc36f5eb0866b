import type { JsonSchema } from '../../api/json-schema.js';

/** The schemas of the members of a value, each with its step in a path: `.name`, `[]`, `.*`. */
export function schemasBySteps({ properties = {}, items, additionalProperties }: JsonSchema): [string, JsonSchema][] {
  const steps = Object.entries(properties).map(([name, property]): [string, JsonSchema] => [`.${name}`, property]);
  if (items) steps.push(['[]', items]);
  if (typeof additionalProperties === 'object') steps.push(['.*', additionalProperties]);
  return steps;
}
