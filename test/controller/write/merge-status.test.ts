import { expect, test } from '@jest/globals';
import { mergeStatus, replacesList } from '../../../src/controller/write/merge-status.js';

const a = (status: string) => ({ type: 'A', status });
const b = (status: string) => ({ type: 'B', status });

test.each<[string, unknown, unknown, unknown, unknown]>([
  ['another writer adds', [a('1')], [a('2')], [a('1'), b('1')], [a('2'), b('1')]],
  ['another writer changes', [a('1'), b('1')], [a('2'), b('1')], [a('1'), b('2')], [a('2'), b('2')]],
  ['another writer removes', [a('1'), b('1')], [a('2'), b('1')], [a('1')], [a('2')]],
  ['the reconcile removes', [a('1'), b('1')], [b('1')], [a('1'), b('2')], [b('2')]],
  ['both add', undefined, [a('1')], [b('1')], [b('1'), a('1')]],
])('conditions are merged by type when %s one', (_, base, desired, latest, merged) => {
  const conflicts: string[] = [];
  const of = (conditions: unknown) => ({ conditions });
  expect(mergeStatus(of(base), of(desired), of(latest), conflicts)).toEqual(of(merged));
  expect(conflicts).toEqual([]);
});

test('members that only another writer has changed keep the value of the other writer', () => {
  const merged = mergeStatus({ a: 1, b: { c: 1, d: 1 } }, { a: 2, b: { c: 1, d: 2 } }, { a: 1, b: { c: 3, d: 1 } }, []);
  expect(merged).toEqual({ a: 2, b: { c: 3, d: 2 } });
});

test('a member that both have changed has the value of the reconcile', () => {
  expect(mergeStatus({ a: 1 }, { a: 2 }, { a: 3 }, [])).toEqual({ a: 2 });
});

test('another list that both have changed is a conflict', () => {
  const conflicts: string[] = [];
  mergeStatus({ at: { nodes: ['a'] } }, { at: { nodes: ['b'] } }, { at: { nodes: ['c'] } }, conflicts);
  expect(conflicts).toEqual(['status.at.nodes']);
});

test('a list that only the reconcile has changed is no conflict', () => {
  const conflicts: string[] = [];
  const merged = mergeStatus({ nodes: ['a'], x: 1 }, { nodes: ['b'], x: 1 }, { nodes: ['a'], x: 2 }, conflicts);
  expect([merged, conflicts]).toEqual([{ nodes: ['b'], x: 2 }, []]);
});

test.each<[string, unknown, unknown, boolean]>([
  ['sets a list', { at: { nodes: ['a'] } }, {}, true],
  ['removes a list', { nodes: null }, { nodes: ['a'] }, true],
  ['removes an object with a list', { at: null }, { at: { nodes: [] } }, true],
  ['sets a member beside a list', { phase: 'x' }, { nodes: ['a'] }, false],
  ['removes a scalar', { phase: null }, { phase: 'x', nodes: ['a'] }, false],
])('a patch that %s replaces a list: %#', (_, patch, latest, expected) => {
  expect(replacesList(patch, latest)).toBe(expected);
});
