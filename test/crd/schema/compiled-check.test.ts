import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { parseYamlDocuments } from '../../../src/base/yaml.js';
import { compileCheck } from '../../../src/crd/schema/compiled-check.js';
import { SchemaValidator } from '../../../src/crd/schema/schema-validator.js';
import type { StructuralSchema } from '../../../src/crd/schema/structural-schema.js';
import { Chooser } from '../../fidelity/chooser.js';
import { publicCrds } from '../../import-crd/public-crds.js';
import { RandomObjects } from '../../random-classes/random-objects.js';
import { jsonValue, structuralSchema } from './structural-schemas.js';

/** The verdicts of the compiled check and of the walker, which must agree. */
function verdicts(schema: StructuralSchema, value: unknown): { compiled: boolean | undefined; walked: boolean } {
  const walked = new SchemaValidator(schema).validate(value).length === 0;
  return { compiled: compileCheck(schema)?.(value), walked };
}

describe('the compiled check of a schema', () => {
  test('the compiled check accepts the same values as the walker, for any schema', () => {
    let accepted = 0;
    let runs = 0;
    fc.assert(
      fc.property(
        structuralSchema,
        fc.array(jsonValue, { minLength: 4, maxLength: 8 }),
        fc.integer(),
        (schema, values, seed) => {
          const objects = new RandomObjects(new Chooser(seed), 0.1);
          const check = compileCheck(schema);
          runs++;
          for (const value of [...values, objects.value(schema), objects.value(schema), objects.value(schema)]) {
            const walked = new SchemaValidator(schema).validate(value).length === 0;
            if (walked) accepted++;
            if (check) expect({ value, isValid: check(value) }).toEqual({ value, isValid: walked });
          }
        },
      ),
      { numRuns: 1500 },
    );
    expect(accepted).toBeGreaterThan(runs);
  });

  test.each<[string, StructuralSchema, unknown, boolean]>([
    ['an integer for a number', { type: 'number' }, 3, true],
    ['a fraction for an integer', { type: 'integer' }, 1.5, false],
    ['a list for a string with a format', { type: 'string', format: 'date' }, [], true],
    ['null where it may be', { type: 'string', nullable: true }, null, true],
    ['null for an enum', { type: 'string', nullable: true, enum: ['a'] }, null, false],
    ['null for an enum that lists it', { type: 'string', nullable: true, enum: ['a', null] }, null, false],
    ['null for an enum without a type', { enum: ['a', null] }, null, false],
    ['another value of a nullable enum', { type: 'string', nullable: true, enum: ['a', null] }, 'a', true],
    ['null for a schema of conditions without a type', { anyOf: [{ type: 'string' }] }, null, true],
    ['an integer or string', { 'x-kubernetes-int-or-string': true }, 'http', true],
    ['a boolean for an integer or string', { 'x-kubernetes-int-or-string': true }, true, false],
    ['a whole multiple of a half', { type: 'number', multipleOf: 0.5 }, 2, false],
    ['an int32 beyond its range', { type: 'integer', format: 'int32' }, 2 ** 31, false],
    ['characters beyond the basic plane', { type: 'string', maxLength: 1 }, '😀', true],
    ['what every object inherits for a required member', { type: 'object', required: ['toString'] }, {}, false],
    ['a pattern without an anchor', { type: 'string', pattern: '[b-c]' }, 'abc', true],
    ['a pattern of RE2', { type: 'string', pattern: '(?i)^A+$' }, 'aaa', true],
    ['a wrong format', { type: 'string', format: 'date-time' }, 'now', false],
    ['an unknown format', { type: 'string', format: 'unheard-of' }, 'now', true],
  ])('the compiled check has the same result as the walker for %s', (_what, schema, value, isValid) => {
    expect(verdicts(schema, value)).toEqual({ compiled: isValid, walked: isValid });
  });

  test('the compiled check distinguishes the patterns of different schemas', () => {
    const check = compileCheck({
      type: 'object',
      properties: { a: { type: 'string', pattern: '^a$' }, b: { type: 'string', pattern: '^b$' } },
    });
    expect(check?.({ a: 'a', b: 'b' })).toBe(true);
    expect(check?.({ a: 'a', b: 'a' })).toBe(false);
  });

  test('the compiled check runs in linear time on patterns with exponential backtracking', () => {
    const check = compileCheck({ type: 'string', pattern: '^(a+)+$' });
    expect(check?.(`${'a'.repeat(5000)}!`)).toBe(false);
  });

  test('no check is compiled for a schema with a property that ajv skips', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as StructuralSchema;
    expect(compileCheck(schema)).toBeUndefined();
  });
});

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: StructuralSchema } }[] };
}

const definitions = [...publicCrds()].flatMap(([file, text]) => parseYamlDocuments(text, file) as Definition[]);

describe('the compiled check of a public definition', () => {
  test.each(definitions)(
    'the compiled check accepts the same random objects as the walker: $metadata.name',
    ({ spec }) => {
      const schema = spec.versions[0]!.schema.openAPIV3Schema;
      const [check, walker] = [compileCheck(schema)!, new SchemaValidator(schema)];
      const objects = new RandomObjects(new Chooser(11), 0.001);
      const found = Array.from({ length: 6 }, () => objects.value(schema));
      expect(found.map(check)).toEqual(found.map((value) => walker.validate(value).length === 0));
    },
  );
});
