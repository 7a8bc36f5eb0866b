import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutManagedFields } from '../../../src/client/fields/cut-managed-fields.js';

const FIELDS = [{ manager: 'kubectl', fieldsV1: { 'f:spec': { 'k:{"name":"a,]}"}': {} } } }];
const line = (object: object, type = 'ADDED') => JSON.stringify({ type, object });
const metadata = { name: 'web', managedFields: FIELDS, uid: '1' };

/** Not a number either: JSON.stringify writes such members first. */
const key = fc.string().filter((name) => !/^(\d+|managedFields|metadata|toJSON)$/.test(name));
const text = fc.constant('"managedFields":[{}]');
const members = fc.dictionary(key, fc.oneof(fc.jsonValue(), text));
const nested = fc.dictionary(key, fc.oneof(fc.jsonValue(), text, fc.constant({ managedFields: FIELDS })));

test('cutManagedFields removes managedFields, and nothing else', () => {
  fc.assert(
    fc.property(members, members, nested, fc.boolean(), (before, after, rest, hasOwn) => {
      const own = hasOwn ? { managedFields: FIELDS } : {};
      const text = line({ apiVersion: 'v1', kind: 'Pod', metadata: { ...before, ...own, ...after }, ...rest });
      const expected = JSON.parse(text) as { object: { metadata: { managedFields?: unknown } } };
      const result = JSON.parse(cutManagedFields(text)) as typeof expected;
      if (hasOwn) delete expected.object.metadata.managedFields;
      expect(result).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, object]>([
  ['in the middle', { kind: 'Pod', apiVersion: 'v1', metadata }],
  ['at the start', { apiVersion: 'v1', metadata: { managedFields: FIELDS, name: 'web', uid: '1' } }],
  ['at the end', { metadata: { name: 'web', uid: '1', managedFields: FIELDS } }],
])('managedFields %s of metadata are cut', (_, object) => {
  const { object: cut } = JSON.parse(cutManagedFields(line(object))) as { object: object };
  expect(cut).toEqual({ ...object, metadata: { name: 'web', uid: '1' } });
});

describe('text without managedFields to cut', () => {
  test.each<[string, string]>([
    ['with spaces', line({ metadata }).replace(':', ': ')],
    ['with other members before the metadata', line({ data: { a: 1 }, metadata })],
    ['with managedFields of a template only', line({ metadata: { name: 'web' }, spec: { template: { metadata } } })],
    ['that is not an event', 'managedFields'],
    ['that ends within the metadata', '{"type":"ADDED","object":{"metadata":{"a":{"managedFields":[{'],
  ])('text %s is returned unchanged', (_, text) => {
    expect(cutManagedFields(text)).toBe(text);
  });
});

test('the text of an event that ends too early is still invalid JSON after the cut', () => {
  const text = line({ apiVersion: 'v1', metadata });
  for (let end = 0; end < text.length; end++) {
    expect(() => JSON.parse(cutManagedFields(text.slice(0, end))) as unknown).toThrow(SyntaxError);
  }
});
