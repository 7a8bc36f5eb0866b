import { describe, expect, test } from '@jest/globals';
import { crdProblems, type Definition } from '../../../src/crd/definition/crd-problems.js';
import { baseDefinition, baseSchema, changed, withProperty, type Json } from '../cases/base-definition.js';

function complete(definition: Json): Definition {
  const named = changed(definition, 'spec/names/singular', 'gadget');
  return changed(named, 'spec/names/listKind', 'GadgetList') as unknown as Definition;
}

function problems(definition: Json, old?: Json): string[] {
  return crdProblems(complete(definition), old && complete(old)).map(
    ({ type, field, body }) => `${type} ${field}: ${body}`,
  );
}

const ESTABLISHED = { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v1'] };
const established = changed(baseDefinition(), 'status', ESTABLISHED);

test('a valid definition has no problems', () => {
  expect(problems(baseDefinition())).toEqual([]);
});

test('the name of a definition consists of plural and group', () => {
  expect(problems(changed(baseDefinition(), 'metadata/name', 'x.crd.example.com'))).toEqual([
    'FieldValueInvalid metadata.name: Invalid value: "x.crd.example.com": must be spec.names.plural+"."+spec.group',
  ]);
});

test('an empty list of versions and missing versions have different errors', () => {
  const refused = (versions: unknown): string | undefined =>
    problems(changed(baseDefinition(), 'spec/versions', versions as Json[])).find((one) => one.includes('exactly one'));
  const why = 'must have exactly one version marked as storage version';
  expect(refused([])).toBe(`FieldValueInvalid spec.versions: Invalid value: []: ${why}`);
  expect(refused(undefined)).toBe(`FieldValueInvalid spec.versions: Invalid value: null: ${why}`);
});

test('an error that all versions share has a path without versions', () => {
  expect(problems(withProperty({}))).toEqual([
    'FieldValueRequired spec.validation.openAPIV3Schema.properties[spec].properties[x].type: Required value: must not be empty for specified object fields',
  ]);
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: baseSchema({}) } },
    { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: baseSchema() } },
  ];
  expect(problems(changed(baseDefinition(), 'spec/versions', versions))).toEqual([
    'FieldValueRequired spec.versions[0].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
  ]);
});

test('a default value must be valid', () => {
  expect(problems(withProperty({ type: 'object', default: { unknown: 1 } }))).toEqual([
    'FieldValueInvalid spec.validation.openAPIV3Schema.properties[spec].properties[x].default: Invalid value: {"unknown":1}: must not have unknown fields',
  ]);
});

describe('a change', () => {
  test.each([
    ['spec/group', 'other.example.com', 'spec.group'],
    ['spec/scope', 'Cluster', 'spec.scope'],
    ['spec/names/kind', 'Other', 'spec.names.kind'],
  ])('a change of a definition cannot change %s', (path, value, field) => {
    expect(problems(changed(established, path, value), established).join()).toContain(
      `${field}: Invalid value: "${value}": field is immutable`,
    );
  });

  test('the kind of a definition can change while its names are not accepted', () => {
    const fresh = changed(baseDefinition(), 'status', { storedVersions: ['v1'] });
    expect(problems(changed(fresh, 'spec/names/kind', 'Other'), fresh)).toEqual([]);
  });

  test('a definition must keep the versions of stored objects', () => {
    const stored = changed(established, 'status/storedVersions', ['v0', 'v1']);
    expect(problems(stored, stored).join()).toContain(
      'status.storedVersions[0]: Invalid value: "v0": missing from spec.versions',
    );
  });
});

describe('a rule', () => {
  const withRule = (schema: Json, rule: string): Json =>
    withProperty({ ...schema, 'x-kubernetes-validations': [{ rule }] });

  test('an invalid rule is rejected with its position', () => {
    expect(problems(withRule({ type: 'string' }, 'self.foo == 1'))[0]).toContain(
      "compilation failed: ERROR: <input>:1:5: type 'string' does not support field selection\n | self.foo == 1\n | ....^",
    );
  });

  test('a rule is rejected for its estimated cost, and accepted with limits', () => {
    const nested = 'self.all(x, self.all(y, x == y))';
    const list = { type: 'array', items: { type: 'string' } };
    expect(problems(withRule(list, nested))[0]).toContain(
      'estimated rule cost exceeds budget by factor of more than 100x',
    );
    const limited = { ...list, maxItems: 10, items: { type: 'string', maxLength: 10 } };
    expect(problems(withRule(limited, nested))).toEqual([]);
  });

  test('a rule with an invalid constant is rejected', () => {
    expect(problems(withRule({ type: 'integer' }, "self == int('x')"))[0]).toContain(
      "program instantiation failed: type conversion error from 'string' to 'int'",
    );
  });
});
