import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonSchema } from '../../src/api/schema/json-schema.js';
import { deepEqual } from '../../src/base/deep-equal.js';
import { ChangeLog } from '../../src/evolution/change-log.js';
import { compareSchemas } from '../../src/evolution/compare-schemas.js';
import { storedObjectProblems } from '../../src/evolution/stored-object-problems.js';

/** Few names and small bounds, so that schemas and values meet. */
const name = fc.constantFrom('a', 'b');
const bound = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const nullable = fc.constantFrom(undefined, true);

function known(schema: object): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, rule]) => rule !== undefined));
}

const text: fc.Arbitrary<JsonSchema> = fc
  .record({
    nullable,
    minLength: bound,
    maxLength: bound,
    enum: fc.option(fc.uniqueArray(fc.constantFrom('', 'x', 'yy'), { minLength: 1 }), { nil: undefined }),
    default: fc.constantFrom(undefined, 'x'),
    pattern: fc.constantFrom(undefined, '^x*$', '^y*$'),
  })
  .map((rules) => ({ type: 'string', ...known(rules) }));

const number: fc.Arbitrary<JsonSchema> = fc
  .record({
    nullable,
    minimum: bound,
    maximum: bound,
    multipleOf: fc.constantFrom(undefined, 1, 2),
    exclusiveMinimum: fc.constantFrom(undefined, true),
  })
  .map((rules) => ({ type: 'integer', ...known(rules) }));

const { schema } = fc.letrec<{ schema: JsonSchema; object: JsonSchema; list: JsonSchema; map: JsonSchema }>((tie) => ({
  schema: fc.oneof({ maxDepth: 2 }, text, number, tie('object'), tie('list'), tie('map')),
  object: fc
    .record({
      properties: fc.dictionary(name, tie('schema'), { noNullPrototype: true }),
      required: fc.uniqueArray(name),
      'x-kubernetes-preserve-unknown-fields': fc.constantFrom(undefined, true),
    })
    .map((rules) => ({ type: 'object', ...known(rules) })),
  list: fc
    .record({ items: tie('schema'), minItems: bound, maxItems: bound })
    .map((rules) => ({ type: 'array', ...known(rules) })),
  map: fc
    .record({ additionalProperties: tie('schema'), maxProperties: bound })
    .map((rules) => ({ type: 'object', ...known(rules) })),
}));

const scalar = fc.constantFrom<unknown>('', 'x', 'yy', 0, 1, 2, 3, null);
const value = fc.oneof(
  { maxDepth: 3, depthSize: 'small' },
  scalar,
  fc.dictionary(name, scalar, { noNullPrototype: true }),
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(name, fc.dictionary(name, scalar, { noNullPrototype: true }), { noNullPrototype: true }),
);

/** A schema, what became of it, and a value for both. */
const evolution = fc.oneof(
  fc.record({ old: schema, next: schema, value }),
  fc
    .record({ old: schema, gone: fc.subarray(['minimum', 'maxLength', 'enum', 'pattern', 'required', 'items']), value })
    .map(({ gone, ...rest }) => ({ ...rest, next: without(rest.old, gone) })),
);

/** A schema without some keywords, at any depth. */
function without(old: JsonSchema, keywords: readonly string[]): JsonSchema {
  const text = JSON.stringify(old, (key, member: unknown) => (keywords.includes(key) ? undefined : member));
  return JSON.parse(text) as JsonSchema;
}

test('a safe change rejects no valid object and drops none of its fields', () => {
  let reached = 0;
  let tried = 0;
  fc.assert(
    fc.property(evolution, ({ old, next, value: spec }) => {
      const log = ChangeLog.of('widgets.example.com');
      tried++;
      compareSchemas(old, next, log);
      if (log.list().some(({ severity }) => severity !== 'safe')) return;
      const wrap = (inner: JsonSchema): JsonSchema => ({ type: 'object', properties: { spec: inner } });
      if (storedObjectProblems(wrap(old))({ spec }).length > 0) return;
      if (!deepEqual(old, next)) reached++;
      expect(storedObjectProblems(wrap(next))({ spec })).toEqual([]);
    }),
    { numRuns: 10_000, seed: 7 },
  );
  expect(reached).toBeGreaterThan(tried / 200);
});

test('a schema has no difference from itself', () => {
  fc.assert(
    fc.property(schema, (same) => {
      const log = ChangeLog.of('widgets.example.com');
      compareSchemas(same, structuredClone(same), log);
      expect(log.list()).toEqual([]);
    }),
  );
});
