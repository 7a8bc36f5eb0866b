import type { JsonSchema } from '../../api/schema/json-schema.js';
import { isRecognizedFormat } from '../../crd/formats/string-formats.js';

const BOUNDS = ['minimum', 'maximum', 'multipleOf'] as const;

/** A keyword that the API server accepts but does not enforce as its author expects. */
export interface SchemaWarning {
  /** The path, in the form of field errors: `properties[spec].items`. */
  readonly path: string;
  readonly problem: string;
}

/** Warnings about a schema and all schemas below it. */
export function schemaWarnings(schema: JsonSchema, path = ''): SchemaWarning[] {
  const { properties = {}, items, additionalProperties } = schema;
  const at = (step: string): string => (path === '' ? step : `${path}.${step}`);
  return [
    ...[...formatWarnings(schema), ...fractionWarnings(schema), ...nullWarnings(schema)].map((problem) => ({
      path,
      problem,
    })),
    ...Object.entries(properties).flatMap(([name, property]) => schemaWarnings(property, at(`properties[${name}]`))),
    ...(items ? schemaWarnings(items, at('items')) : []),
    ...(typeof additionalProperties === 'object'
      ? schemaWarnings(additionalProperties, at('additionalProperties'))
      : []),
  ];
}

function formatWarnings({ type, format }: JsonSchema): string[] {
  if (format === undefined || isRecognizedFormat(type ?? '', format)) return [];
  return [`the API server does not enforce format '${format}'; add a pattern or a CEL rule`];
}

function nullWarnings({ nullable, enum: values }: JsonSchema): string[] {
  if (!nullable || !values) return [];
  return [
    'the API server rejects null for an enum, even if the enum lists it; remove nullable, or replace enum with ' +
      'a pattern or a CEL rule',
  ];
}

/** The API server compares integers with the bound's integer part only. */
function fractionWarnings(schema: JsonSchema): string[] {
  return BOUNDS.filter((name) => schema.type === 'number' && !Number.isInteger(schema[name] ?? 0)).map((name) => {
    const bound = schema[name] ?? 0;
    const whole = Math.trunc(bound);
    const isZero = name === 'multipleOf' && whole === 0;
    const effect = isZero ? 'rejects integers' : `compares integers with ${whole}`;
    return `with ${name} ${bound} the API server ${effect}; use a CEL rule instead`;
  });
}
