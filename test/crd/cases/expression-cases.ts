import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseDefinition, baseSchema, type Json } from './base-definition.ts';

const text = { type: 'string', maxLength: 100 };
const properties: Json = {
  n: { type: 'integer' },
  big: { type: 'integer', format: 'int64' },
  d: { type: 'number' },
  whole: { type: 'number' },
  s: text,
  uni: text,
  flag: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  date: { type: 'string', format: 'date-time' },
  later: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
  span: { type: 'string', format: 'duration' },
  percent: { 'x-kubernetes-int-or-string': true },
  port: { 'x-kubernetes-int-or-string': true },
  list: { type: 'array', items: text },
  numbers: { type: 'array', items: { type: 'integer' } },
  empty: { type: 'array', items: { type: 'integer' } },
  set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  items: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: text, size: { type: 'integer' }, note: text },
    },
  },
  map: { type: 'object', additionalProperties: text },
  missing: text,
  none: { type: 'string', nullable: true },
  'a-b': text,
  namespace: text,
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

const value: Json = {
  n: 5,
  big: 9007199254740991,
  d: 1.5,
  whole: 2,
  s: 'hello world',
  uni: 'größe😀x',
  flag: true,
  bytes: 'aGVsbG8=',
  date: '2024-02-29T12:30:45.123Z',
  later: '2024-03-01T00:00:00+02:00',
  day: '2024-02-29',
  span: '1h30m',
  percent: '10%',
  port: 80,
  list: ['a', 'b', 'c'],
  numbers: [3, 1, 2],
  empty: [],
  set: ['x', 'y'],
  items: [
    { name: 'one', size: 1, note: 'n' },
    { name: 'two', size: 2 },
  ],
  map: { k: 'v', l: 'w' },
  none: null,
  'a-b': 'dash',
  namespace: 'ns',
  free: { x: 1 },
};

/** Rules that hold, do not hold or cannot be evaluated for the value above. */
export const EXPRESSIONS = readFileSync(join(import.meta.dirname, 'expressions.txt'), 'utf8')
  .trim()
  .split('\n');

/** How many expressions one definition has. */
export const EXPRESSIONS_EACH = 40;

/** Definitions with the expressions as rules on defaults: creating one evaluates them. The first rule never holds. */
export function expressionDefinitions(): Json[] {
  const chunks = Array.from({ length: Math.ceil(EXPRESSIONS.length / EXPRESSIONS_EACH) }, (_, index) =>
    EXPRESSIONS.slice(index * EXPRESSIONS_EACH, (index + 1) * EXPRESSIONS_EACH),
  );
  return chunks.map((expressions) => {
    const rules = ['self.n == 0', ...expressions];
    const cases = rules.map((rule, index) => [
      `case${index}`,
      { type: 'object', properties, default: value, 'x-kubernetes-validations': [{ rule }] },
    ]);
    return baseDefinition(baseSchema({ type: 'object', properties: Object.fromEntries(cases) as Json }));
  });
}
