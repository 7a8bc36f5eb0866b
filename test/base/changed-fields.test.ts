import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changedFields, formatFieldPath } from '../../src/base/changed-fields.js';
import { deepEqual } from '../../src/base/deep-equal.js';

const described = (from: unknown, to: unknown) =>
  changedFields(from, to, 10).map((change) => [formatFieldPath(change.path), change.from, change.to]);

test.each<[string, unknown, unknown, unknown[]]>([
  ['a member', { spec: { size: 3 } }, { spec: { size: 4 } }, [['spec.size', 3, 4]]],
  ['an added member', { data: {} }, { data: { a: '1' } }, [['data.a', undefined, '1']]],
  ['a removed object', { data: { a: '1' } }, {}, [['data', { a: '1' }, undefined]]],
  [
    'a member of a list item',
    { containers: [{ name: 'a', image: 'x' }] },
    { containers: [{ name: 'a', image: 'y' }] },
    [['containers[0].image', 'x', 'y']],
  ],
  [
    'a list of scalars in another order',
    { nodes: ['a', 'b'] },
    { nodes: ['b', 'a'] },
    [['nodes', ['a', 'b'], ['b', 'a']]],
  ],
  ['a longer list of objects', { p: [{}] }, { p: [{}, {}] }, [['p', [{}], [{}, {}]]]],
  ['a name with dots and slashes', { a: { 'x.io/y': 1 } }, { a: { 'x.io/y': 2 } }, [['a["x.io/y"]', 1, 2]]],
  ['the root', 1, 2, [['', 1, 2]]],
])('changedFields finds %s', (_, from, to, expected) => {
  expect(described(from, to)).toEqual(expected);
});

test('changedFields finds at most the given number of fields', () => {
  expect(changedFields({ a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 2 }, 2)).toHaveLength(2);
});

test('changedFields is empty exactly for equal values', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(changedFields(a, b, 1).length === 0).toBe(deepEqual(a, b));
      expect(changedFields(a, structuredClone(a), 1)).toEqual([]);
    }),
  );
});
