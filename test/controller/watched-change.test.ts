import { describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../src/api/kube-object.js';
import { watchedChange } from '../../src/controller/watched-change.js';

const node: UnstructuredObject = {
  metadata: { name: 'n1', resourceVersion: '1', generation: 1, labels: { role: 'a' } },
  spec: { taints: [] },
  status: { heartbeat: 1 },
};
const passes = (change: Partial<UnstructuredObject>) =>
  watchedChange({ type: 'update', old: node, object: { ...node, ...change } });

describe('watchedChange', () => {
  test('stops an update of the status alone', () => {
    const metadata = { ...node.metadata, resourceVersion: '2' };
    expect(passes({ metadata, status: { heartbeat: 2 } })).toBe(false);
  });

  test('stops an event that changes nothing', () => {
    expect(passes({})).toBe(false);
  });

  test.each<[string, Partial<UnstructuredObject>]>([
    ['the spec', { spec: { taints: ['x'] } }],
    ['labels', { metadata: { ...node.metadata, labels: { role: 'b' } } }],
    ['an annotation that is new', { metadata: { ...node.metadata, annotations: { a: 'b' } } }],
    ['labels that are gone', { metadata: { name: 'n1', resourceVersion: '2', generation: 1 } }],
    ['the start of a deletion', { metadata: { ...node.metadata, deletionTimestamp: 'now' } }],
    ['data beside the spec', { data: { key: 'value' } }],
  ])('passes a change of %s', (_, change) => {
    expect(passes(change)).toBe(true);
  });

  test('passes adds and deletes', () => {
    expect(watchedChange({ type: 'add', object: node, isInitial: true })).toBe(true);
    expect(watchedChange({ type: 'delete', object: node })).toBe(true);
  });
});
