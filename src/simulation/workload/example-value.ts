import { isIntOrString, type StructuralSchema } from '../../crd/schema/structural-schema.js';
import { ownMember } from '../../base/own-member.js';

/** Texts for patterns and formats; a schema may accept one of them. */
const TEXTS = [
  ...[
    'a',
    'example',
    'a1',
    'A',
    '1',
    '10',
    '1Gi',
    '30s',
    '* * * * *',
    'example.com',
    'https://example.com',
    '10.0.0.1',
  ],
  ...['10.0.0.0/24', 'a@example.com', 'YQ==', '2026-01-01T00:00:00Z', '2026-01-01', '1.0.0', 'v1', 'default/a', ''],
  '00000000-0000-4000-8000-000000000000',
];

/** A field that makes no difference between two values of a list; only `n` does. */
type Accepts = (schema: StructuralSchema, value: unknown) => boolean;

/**
 * Returns a small value for a field that is absent, with its required members; undefined if none is found.
 *
 * @param n different numbers give different values where the schema allows it
 */
export function exampleValue(schema: StructuralSchema, accepts: Accepts, n = 0): unknown {
  const { example, default: byDefault, enum: values = [] } = schema;
  const named = [example, byDefault, ...rotated(values, n)].find((value) => value !== undefined && value !== null);
  if (named !== undefined) return named;
  const value = ofType(schema, accepts, n);
  return value !== undefined && accepts(schema, value) ? value : undefined;
}

function ofType(schema: StructuralSchema, accepts: Accepts, n: number): unknown {
  if (isIntOrString(schema)) return accepts(schema, '1Gi') ? `${String(n + 1)}Gi` : n + 1;
  switch (schema.type) {
    case 'string':
      return textOf(schema, accepts, n);
    case 'integer':
    case 'number':
      return numberOf(schema, n);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, (_, index) =>
        exampleValue(schema.items ?? {}, accepts, n + index),
      );
    default:
      return objectOf(schema, accepts, n);
  }
}

function textOf(schema: StructuralSchema, accepts: Accepts, n: number): string | undefined {
  const numbered = [`example-${String(n + 1)}`, `a${String(n + 1)}`];
  const texts =
    schema.pattern === undefined && schema.format === undefined
      ? [...numbered, ...TEXTS]
      : [...rotated(TEXTS, n), ...numbered];
  const found = texts.find((text) => accepts(schema, text));
  return found ?? texts.map((text) => text.padEnd(schema.minLength ?? 0, 'a')).find((text) => accepts(schema, text));
}

function numberOf(
  { minimum = 1, maximum = Infinity, multipleOf = 1, exclusiveMinimum }: StructuralSchema,
  n: number,
): number {
  const least = Math.max(minimum, Math.min(1, maximum)) + (exclusiveMinimum === true && minimum >= 1 ? 1 : 0);
  return Math.min(maximum, (Math.ceil(least / multipleOf) + n) * multipleOf);
}

function objectOf(schema: StructuralSchema, accepts: Accepts, n: number): unknown {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = required.map((name) => [name, exampleValue(ownMember(properties, name) ?? {}, accepts, n)] as const);
  if (members.length > 0) return Object.fromEntries(members);
  if (typeof additionalProperties === 'object')
    return { [`key-${String(n + 1)}`]: exampleValue(additionalProperties, accepts, n) };
  return {};
}

function rotated<T>(values: readonly T[], n: number): readonly T[] {
  const start = values.length === 0 ? 0 : n % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
