import fc from 'fast-check';
import type { StructuralSchema } from '../../../src/crd/schema/structural-schema.js';

/** Few names and small bounds, so that schemas and values meet. */
const name = fc.constantFrom('a', 'b', 'toString');
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const bound = optional(fc.integer({ min: 0, max: 3 }));
const flag = fc.constantFrom(undefined, undefined, true);
const scalar = fc.constantFrom<unknown>(
  '',
  'a',
  'b',
  'ab',
  'abc',
  '10.0.0.1',
  '1h',
  '2026-01-02',
  0,
  1,
  2,
  3,
  -1,
  0.5,
  1.5,
  true,
  false,
  null,
  2 ** 31,
  1e21,
);

export const jsonValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.dictionary(name, tie('value'), { noNullPrototype: true, maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;

/** The keywords that a value validation may have, for values of any type. */
const rules = {
  enum: optional(fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 })),
  minLength: bound,
  maxLength: bound,
  pattern: fc.constantFrom(undefined, undefined, '^a', 'b$', '^[a-c]*$', '\\d'),
  format: fc.constantFrom(
    undefined,
    undefined,
    'int32',
    'int64',
    'double',
    'date',
    'date-time',
    'ipv4',
    'duration',
    'unheard-of',
  ),
  minimum: optional(fc.constantFrom(0, 1, 0.5, -1.5, 2 ** 33)),
  maximum: optional(fc.constantFrom(2, 3, 2.5, 2 ** 33)),
  exclusiveMinimum: flag,
  exclusiveMaximum: flag,
  multipleOf: optional(fc.constantFrom(1, 2, 0.5, 1.5)),
  minItems: bound,
  maxItems: bound,
  minProperties: bound,
  maxProperties: bound,
  required: optional(fc.uniqueArray(name)),
};

const TYPES = [undefined, 'string', 'integer', 'number', 'boolean', 'object', 'array'] as const;

function known(schema: object): StructuralSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, rule]) => rule !== undefined));
}

/** Any subset of the keywords: few at a time, otherwise no value is valid. */
function some<T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }, most: number): fc.Arbitrary<object> {
  return fc
    .tuple(fc.record(model), fc.uniqueArray(fc.constantFrom(...Object.keys(model)), { maxLength: most }))
    .map(([record, kept]) => Object.fromEntries(Object.entries(record).filter(([keyword]) => kept.includes(keyword))));
}

export const structuralSchema: fc.Arbitrary<StructuralSchema> = fc.letrec<{ schema: StructuralSchema }>((tie) => ({
  schema: fc
    .record({
      type: fc.constantFrom(...TYPES),
      nullable: flag,
      'x-kubernetes-int-or-string': fc.constantFrom(undefined, undefined, undefined, true),
      'x-kubernetes-preserve-unknown-fields': flag,
      'x-kubernetes-embedded-resource': flag,
      own: some(rules, 2),
      below: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.constant({}),
        fc.record({ properties: fc.dictionary(name, tie('schema'), { noNullPrototype: true, maxKeys: 2 }) }),
        fc.record({ items: tie('schema') }),
        fc.record({ additionalProperties: fc.oneof(tie('schema'), fc.boolean()) }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
        fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
        fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), not: tie('schema') }),
      ),
    })
    .map(({ own, below, ...rest }) => known({ ...rest, ...own, ...below })),
})).schema;
