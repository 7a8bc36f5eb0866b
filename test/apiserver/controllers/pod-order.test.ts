import { describe, expect, test } from '@jest/globals';
import { deletionOrder, leastAdvancedFirst } from '../../../src/apiserver/controllers/pod-order.js';
import type { ApiObject } from '../../../src/apiserver/objects/api-object.js';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString().replace(/\.\d+/, '');

interface Traits {
  readonly node?: string;
  readonly phase?: string;
  readonly readyFor?: number;
  readonly age?: number;
  readonly cost?: number;
  readonly restarts?: number;
  readonly sidecarRestarts?: number;
}

/** A pod that is ready, named by what sets it apart. */
function pod(name: string, traits: Traits = {}): ApiObject {
  const {
    node = 'a',
    phase = 'Running',
    readyFor = 1000,
    age = 1000,
    cost,
    restarts = 0,
    sidecarRestarts = 0,
  } = traits;
  const ready = { type: 'Ready', status: readyFor < 0 ? 'False' : 'True', lastTransitionTime: ago(Math.abs(readyFor)) };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: name,
      creationTimestamp: ago(age),
      ...(cost !== undefined && { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(cost) } }),
    },
    spec: { nodeName: node, initContainers: [{ name: 'init' }, { name: 'sidecar', restartPolicy: 'Always' }] },
    status: {
      phase,
      conditions: [ready],
      containerStatuses: [{ restartCount: restarts }, { restartCount: 0 }],
      initContainerStatuses: [
        { name: 'init', restartCount: 99 },
        { name: 'sidecar', restartCount: sidecarRestarts },
      ],
    },
  };
}

const names = (pods: readonly ApiObject[]): string[] => pods.map(({ metadata }) => metadata.name);
const crowded = [pod('x', { node: 'b' }), pod('y', { node: 'b' })];

/** Each pair is told apart by its rule alone, against all later ones. */
const EARLY: [string, ApiObject, ApiObject][] = [
  ['without a node', pod('first', { node: '', phase: 'Running', cost: 9 }), pod('second', { phase: 'Pending' })],
  ['pending', pod('first', { phase: 'Pending', cost: 9 }), pod('second', { phase: 'Unknown', readyFor: -1 })],
  ['of which nothing is known', pod('first', { phase: 'Unknown' }), pod('second', { readyFor: -1, cost: -9 })],
  ['not ready', pod('first', { readyFor: -1, cost: 9 }), pod('second', { cost: -9, node: 'b' })],
];
const LATE: [string, ApiObject, ApiObject][] = [
  ['ready for a shorter time', pod('first', { readyFor: 10 }), pod('second', { restarts: 9 })],
  ['restarted more often', pod('first', { restarts: 1 }), pod('second', { sidecarRestarts: 9, age: 1 })],
  ['whose sidecars were restarted more often', pod('first', { sidecarRestarts: 1 }), pod('second', { age: 1 })],
  ['younger', pod('first', { age: 10 }), pod('second')],
];

describe('of two pods a ReplicaSet gives up first', () => {
  test.each([
    ...EARLY,
    ['that costs less to lose', pod('first', { cost: -1 }), pod('second', { node: 'b', readyFor: 1 })],
    ['with more pods beside it', pod('first', { node: 'b' }), pod('second', { readyFor: 1 })],
    ...LATE,
  ])('the one %s', (_, first, second) => {
    expect(names([second, first].sort(deletionOrder([...crowded, first], NOW)))).toEqual(['first', 'second']);
  });

  test('by chance one of those about as old', () => {
    const pods = [pod('b', { readyFor: 1000 }), pod('a', { readyFor: 1050 }), pod('c', { readyFor: 900 })];
    expect(names(pods.sort(deletionOrder([], NOW)))).toEqual(['a', 'b', 'c']);
  });
});

describe('of two pods a Job gives up first', () => {
  test.each([...EARLY, ...LATE])('the one %s', (_, first, second) => {
    expect(names([second, first].sort(leastAdvancedFirst))).toEqual(['first', 'second']);
  });

  test('the later one, be it by a second', () => {
    const pods = [pod('a', { readyFor: 1000 }), pod('b', { readyFor: 999 })];
    expect(names(pods.sort(leastAdvancedFirst))).toEqual(['b', 'a']);
  });
});
