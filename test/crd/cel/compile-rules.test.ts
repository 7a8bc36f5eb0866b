import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonSchema } from '../../../src/api/schema/json-schema.js';
import { compileRules } from '../../../src/crd/cel/compile-rules.js';

const properties: Record<string, JsonSchema> = {
  n: { type: 'integer' },
  s: { type: 'string' },
  list: { type: 'array', items: { type: 'integer' } },
  set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  map: { type: 'object', additionalProperties: { type: 'string' } },
};

function errors(rule: string, value: object, old?: object, more: object = {}): string[] {
  const schema: JsonSchema = { type: 'object', properties, 'x-kubernetes-validations': [{ rule, ...more }] };
  return compileRules(schema)
    .validate(value, old)
    .map(({ field, body }) => `${field}: ${body}`);
}

test('a valid object violates no rule', () => {
  expect(errors('self.n > 1', { n: 2 })).toEqual([]);
});

test('the error of a failed rule is its message, otherwise a default one', () => {
  expect(errors('self.n > 1', { n: 1 })).toEqual(['<nil>: Invalid value: failed rule: self.n > 1']);
  expect(errors('self.n > 1', { n: 1 }, undefined, { message: 'too small', fieldPath: '.n' })).toEqual([
    'n: Invalid value: too small',
  ]);
  expect(errors('self.n > 1', { n: 1 }, undefined, { messageExpression: "'not ' + string(self.n)" })).toEqual([
    '<nil>: Invalid value: not 1',
  ]);
});

test('the error of a rule that cannot be evaluated contains the reason', () => {
  expect(errors('self.n > 1', {})).toEqual([
    '<nil>: Invalid value: "object": no such key: n evaluating rule: self.n > 1',
  ]);
});

test('a transition rule is skipped without a former value, unless it is optional', () => {
  expect(errors('self.n >= oldSelf.n', { n: 1 })).toEqual([]);
  expect(errors('self.n >= oldSelf.n', { n: 1 }, { n: 2 })).toHaveLength(1);
  expect(errors('oldSelf.hasValue()', { n: 1 }, undefined, { optionalOldSelf: true })).toHaveLength(1);
});

test('the order of a set does not matter', () => {
  expect(errors('self.set == oldSelf.set', { set: ['a', 'b'] }, { set: ['b', 'a'] })).toEqual([]);
});

describe('for any values', () => {
  const holds = (rule: string, value: object): boolean => errors(rule, value).length === 0;

  test('sums, sizes and membership in CEL are those of JavaScript, for any values', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 })), fc.integer({ min: -1000, max: 1000 }), (list, n) => {
        const sum = list.reduce((a, b) => a + b, 0);
        return (
          holds(`self.list.sum() == ${sum} && self.list.size() == ${list.length}`, { list }) &&
          holds('self.n in self.list', { list, n }) === list.includes(n) &&
          holds('self.list.exists(x, x > self.n)', { list, n }) === list.some((item) => item > n)
        );
      }),
    );
  });

  test('a split text in CEL can be joined again, for any values', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (s) => holds("self.s.split('').join() == self.s", { s })));
  });
});
