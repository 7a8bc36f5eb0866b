import type { JsonSchema } from '../../api/json-schema.js';
import { isRecognizedFormat } from '../../crd/formats/is-recognized-format.js';
import { schemasBySteps } from '../crd/schemas-by-steps.js';

const BOUNDS = ['minimum', 'maximum', 'multipleOf'] as const;

/** What the API server takes of a schema, and then does not hold values to as its author will think. */
export function schemaWarnings(schema: JsonSchema, path = ''): string[] {
  return [
    ...formatWarnings(schema, path),
    ...fractionWarnings(schema, path),
    ...schemasBySteps(schema).flatMap(([step, below]) => schemaWarnings(below, path + step)),
  ];
}

function formatWarnings({ type, format }: JsonSchema, path: string): string[] {
  if (format === undefined || isRecognizedFormat(type ?? '', format)) return [];
  return [`${path} has format '${format}', which the API server does not check; pattern or a rule in CEL would hold`];
}

/** A whole number is compared with the bound without its fraction. */
function fractionWarnings(schema: JsonSchema, path: string): string[] {
  return BOUNDS.filter((name) => schema.type === 'number' && !Number.isInteger(schema[name] ?? 0)).map((name) => {
    const bound = schema[name] ?? 0;
    const whole = Math.trunc(bound);
    const isNone = name === 'multipleOf' && whole === 0;
    const effect = isNone ? 'refuses whole numbers' : `holds whole numbers to ${whole}`;
    return `${path} has ${name} ${bound}, with which the API server ${effect}; a rule in CEL would hold`;
  });
}
