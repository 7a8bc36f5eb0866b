import { expect, test } from '@jest/globals';
import { surgeStep } from '../../../../src/apiserver/controllers/apps/daemon-set-surge.js';
import type { ApiObject } from '../../../../src/apiserver/objects/api-object.js';

const pod = (name: string): ApiObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });

/** `old` and `new` are available, `old?` and `new?` are not. */
function step(nodes: Readonly<Record<string, readonly string[]>>, maxSurge: number): unknown {
  const { create, remove } = surgeStep(Object.keys(nodes), {
    podsOn: (node) => nodes[node]!.map(pod),
    isUpdated: ({ metadata }) => metadata.name.startsWith('new'),
    isAvailable: ({ metadata }) => !metadata.name.endsWith('?'),
    maxSurge,
  });
  return { create, remove: remove.map(({ metadata }) => metadata.name) };
}

test('new pods are added beside old ones on at most maxSurge nodes', () => {
  expect(step({ a: ['old'], b: ['old'], c: ['old'] }, 2)).toEqual({ create: ['a', 'b'], remove: [] });
});

test('nodes with two pods count for maxSurge', () => {
  expect(step({ a: ['old', 'new?'], b: ['old'] }, 1)).toEqual({ create: [], remove: [] });
});

test('an old pod is removed as soon as the new one is available', () => {
  expect(step({ a: ['old', 'new'], b: ['old'] }, 1)).toEqual({ create: ['b'], remove: ['old'] });
});

test('an unavailable pod is replaced immediately', () => {
  expect(step({ a: ['old?'], b: ['old?'], c: ['old'] }, 1)).toEqual({ create: ['a', 'b', 'c'], remove: [] });
});

test('a surge skips nodes with the new pod and nodes without a pod', () => {
  expect(step({ a: ['new'], b: [] }, 1)).toEqual({ create: [], remove: [] });
});
