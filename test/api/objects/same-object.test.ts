import { describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { isSameApartFromStatus, isSameObject } from '../../../src/api/objects/same-object.js';

const node: UnstructuredObject = {
  metadata: { name: 'n1', resourceVersion: '1', generation: 1, labels: { role: 'a' } },
  spec: { taints: [] },
  status: { heartbeat: 1 },
};
const bookkeeping = { ...node.metadata, resourceVersion: '2', generation: 2 };

test('an object with another resourceVersion is the same', () => {
  expect(isSameObject(node, { ...node, metadata: bookkeeping })).toBe(true);
  expect(isSameApartFromStatus(node, { ...node, metadata: bookkeeping })).toBe(true);
});

test('an object with another status is the same except for the status', () => {
  const changed = { ...node, metadata: bookkeeping, status: { heartbeat: 2 } };
  expect(isSameApartFromStatus(node, changed)).toBe(true);
  expect(isSameObject(node, changed)).toBe(false);
});

describe.each([isSameObject, isSameApartFromStatus])('for %p', (isSame) => {
  test.each<[string, Partial<UnstructuredObject>]>([
    ['the spec', { spec: { taints: ['x'] } }],
    ['labels', { metadata: { ...node.metadata, labels: { role: 'b' } } }],
    ['an annotation that is new', { metadata: { ...node.metadata, annotations: { a: 'b' } } }],
    ['labels that were removed', { metadata: { name: 'n1', resourceVersion: '2', generation: 1 } }],
    ['the start of a deletion', { metadata: { ...node.metadata, deletionTimestamp: 'now' } }],
    ['data beside the spec', { data: { key: 'value' } }],
  ])('a change of %s makes a different object', (_, change) => {
    expect(isSame(node, { ...node, ...change })).toBe(false);
  });
});
