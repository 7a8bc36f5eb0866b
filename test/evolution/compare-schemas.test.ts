import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '../../src/api/schema/json-schema.js';
import { ChangeLog } from '../../src/evolution/change-log.js';
import { compareSchemas } from '../../src/evolution/compare-schemas.js';

function changes(old: JsonSchema, next: JsonSchema): string[] {
  const log = ChangeLog.of('widgets.example.com');
  compareSchemas(old, next, log);
  return log.list().map(({ severity, path, what }) => [severity, path, what].filter((part) => part !== '').join(' '));
}

const object = (properties: Record<string, JsonSchema>, rest: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...rest,
});
const string: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };

describe('the fields of an object', () => {
  test.each<[string, JsonSchema, JsonSchema, string[]]>([
    ['a field that is gone', object({ a: string }), object({}), ['breaking .a removed; values are dropped']],
    ['a new optional field', object({}), object({ a: string }), ['safe .a added']],
    [
      'a new required field',
      object({}),
      object({ a: string }, { required: ['a'] }),
      ['breaking .a required field added; existing objects do not have it'],
    ],
    [
      'a new required field that has a default',
      object({}),
      object({ a: { ...string, default: 'x' } }, { required: ['a'] }),
      ['safe .a added'],
    ],
    [
      'a nested field that became required',
      object({ a: object({ b: string }) }),
      object({ a: object({ b: string }, { required: ['b'] }) }),
      ['breaking .a.b is required without a default, was optional'],
    ],
    [
      'a field of the kind itself that became required',
      object({ spec: string }),
      object({ spec: string }, { required: ['spec'] }),
      ['tightening .spec is required without a default, was optional'],
    ],
    [
      'a field that may be left out now',
      object({ a: string }, { required: ['a'] }),
      object({ a: string }),
      ['safe .a is optional, was required'],
    ],
    ['a field of another type', object({ a: string }), object({ a: integer }), ['breaking .a is integer, was string']],
    [
      'a field that is an integer or a string',
      object({ a: { 'x-kubernetes-int-or-string': true } }),
      object({ a: integer }),
      ['breaking .a is integer, was an integer or a string'],
    ],
    [
      'unknown fields that were kept',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object' },
      ['breaking unknown fields are dropped, were preserved'],
    ],
    [
      'a field that is kept though no longer described',
      object({ a: string }, { 'x-kubernetes-preserve-unknown-fields': true }),
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      ['safe .a removed from the schema; values are preserved as unknown fields'],
    ],
    [
      'a field named like a member of every object',
      object({ constructor: string }),
      object({}),
      ['breaking .constructor removed; values are dropped'],
    ],
  ])('a change of the fields of an object is classified: %s', (_, old, next, expected) => {
    expect(changes(old, next)).toEqual(expected);
  });
});

describe('the values of a field', () => {
  const field = (rules: JsonSchema): JsonSchema => ({ ...string, ...rules });
  test.each<[string, JsonSchema, JsonSchema, string[]]>([
    ['a smaller enum', field({ enum: ['a', 'b'] }), field({ enum: ['a'] }), ['breaking no longer accepts "b"']],
    ['a larger enum', field({ enum: ['a'] }), field({ enum: ['a', 'b'] }), ['safe also accepts "b"']],
    ['an added enum', field({}), field({ enum: ['a'] }), ['tightening must be one of "a", was unrestricted']],
    ['no enum any more', field({ enum: ['a'] }), field({}), ['safe accepts any value, was one of "a"']],
    ['another default', field({ default: 'a' }), field({ default: 'b' }), ['breaking default changed to "b", was "a"']],
    ['no default any more', field({ default: 'a' }), field({}), ['breaking default removed, was "a"']],
    ['an added default', field({}), field({ default: 'a' }), ['tightening default added: "a"']],
    ['null no more', field({ nullable: true }), field({}), ['tightening must not be null']],
    ['null as well', field({}), field({ nullable: true }), ['safe may be null']],
    ['a lower maximum length', field({ maxLength: 9 }), field({ maxLength: 8 }), ['tightening maxLength is 8, was 9']],
    ['a higher maximum length', field({ maxLength: 8 }), field({ maxLength: 9 }), ['safe maxLength is 9, was 8']],
    ['an added bound', field({}), field({ minLength: 1 }), ['tightening minLength is 1, was none']],
    ['a removed bound', field({ minLength: 1 }), field({}), ['safe minLength is none, was 1']],
    ['another pattern', field({ pattern: '^a' }), field({ pattern: '^b' }), ['tightening pattern is ^b, was ^a']],
    ['a removed pattern', field({ pattern: '^a' }), field({}), ['safe pattern is none, was ^a']],
    ['a logical constraint', field({}), field({ not: { enum: ['x'] } }), ['tightening not added']],
  ])('a change of the values of a field is classified: %s', (_, old, next, expected) => {
    expect(changes(old, next)).toEqual(expected);
  });

  test.each<[JsonSchema, JsonSchema, string[]]>([
    [{ minimum: 1 }, { minimum: 2 }, ['tightening minimum is 2, was 1']],
    [{ maximum: 2 }, { maximum: 3 }, ['safe maximum is 3, was 2']],
    [{ minimum: 1 }, { minimum: 1, exclusiveMinimum: true }, ['tightening minimum 1 is excluded']],
    [{ maximum: 1, exclusiveMaximum: true }, { maximum: 1 }, ['safe maximum 1 is included']],
    [{ multipleOf: 6 }, { multipleOf: 3 }, ['safe multipleOf is 3, was 6']],
    [{ multipleOf: 3 }, { multipleOf: 6 }, ['tightening multipleOf is 6, was 3']],
  ])('a number of %j that becomes one of %j is classified', (old, next, expected) => {
    expect(changes({ ...integer, ...old }, { ...integer, ...next })).toEqual(expected);
  });

  test('a CEL rule is identified by its expression, not by its message', () => {
    const rule = (text: string, message: string): JsonSchema => ({
      ...string,
      'x-kubernetes-validations': [{ rule: text, message }],
    });
    expect(changes(rule('self != ""', 'a'), rule('self != ""', 'b'))).toEqual([]);
    expect(changes(rule('self != ""', 'a'), rule('self != "x"', 'a'))).toEqual([
      'tightening rule added: self != "x"',
      'safe rule removed: self != ""',
    ]);
  });
});

describe('lists and maps', () => {
  test('lists and maps are compared by item and by value, to any depth', () => {
    const nested = (leaf: JsonSchema): JsonSchema =>
      object({ a: { type: 'array', items: { type: 'object', additionalProperties: object({ b: leaf }) } } });
    expect(changes(nested(string), nested(integer))).toEqual(['breaking .a[]{}.b is integer, was string']);
  });

  test('another merge strategy of a list or map changes the ownership of fields', () => {
    const list = (rules: JsonSchema): JsonSchema => ({ type: 'array', items: string, ...rules });
    expect(changes(list({}), list({ 'x-kubernetes-list-type': 'set' }))).toEqual([
      'breaking merges as set, was atomic',
    ]);
    expect(changes(list({}), list({ 'x-kubernetes-list-type': 'atomic' }))).toEqual([]);
    expect(
      changes(
        list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] }),
        list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a', 'b'] }),
      ),
    ).toEqual(['breaking merges as map by a, b, was map by a']);
    expect(changes(object({}), object({}, { 'x-kubernetes-map-type': 'atomic' }))).toEqual([
      'breaking merges as atomic, was granular',
    ]);
  });

  test('a map without additionalProperties drops its keys', () => {
    expect(changes({ type: 'object', additionalProperties: string }, object({}))).toEqual([
      'breaking unknown fields are dropped, were preserved',
    ]);
  });
});
