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

/** A ready pod with the given differences. */
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

/** Only the rule of a pair distinguishes its pods; all later rules would order them the other way. */
const EARLY: [string, ApiObject, ApiObject][] = [
  ['without a node', pod('first', { node: '', phase: 'Running', cost: 9 }), pod('second', { phase: 'Pending' })],
  ['pending', pod('first', { phase: 'Pending', cost: 9 }), pod('second', { phase: 'Unknown', readyFor: -1 })],
  ['in phase Unknown', pod('first', { phase: 'Unknown' }), pod('second', { readyFor: -1, cost: -9 })],
  ['not ready', pod('first', { readyFor: -1, cost: 9 }), pod('second', { cost: -9, node: 'b' })],
];
const LATE: [string, ApiObject, ApiObject][] = [
  ['ready for a shorter time', pod('first', { readyFor: 10 }), pod('second', { restarts: 9 })],
  ['restarted more often', pod('first', { restarts: 1 }), pod('second', { sidecarRestarts: 9, age: 1 })],
  ['whose sidecars were restarted more often', pod('first', { sidecarRestarts: 1 }), pod('second', { age: 1 })],
  ['younger', pod('first', { age: 10 }), pod('second')],
];

describe('the order in which a ReplicaSet deletes pods', () => {
  test.each([
    ...EARLY,
    ['with the lower deletion cost', pod('first', { cost: -1 }), pod('second', { node: 'b', readyFor: 1 })],
    ['on a node with more pods', pod('first', { node: 'b' }), pod('second', { readyFor: 1 })],
    ...LATE,
  ])('a ReplicaSet deletes first the pod %s', (_, first, second) => {
    expect(names([second, first].sort(deletionOrder([...crowded, first], NOW)))).toEqual(['first', 'second']);
  });

  test('a ReplicaSet deletes a random one of pods of similar age', () => {
    const pods = [pod('b', { readyFor: 1000 }), pod('a', { readyFor: 1050 }), pod('c', { readyFor: 900 })];
    expect(names(pods.sort(deletionOrder([], NOW)))).toEqual(['a', 'b', 'c']);
  });
});

describe('the order in which a Job deletes pods', () => {
  test.each([...EARLY, ...LATE])('a Job deletes first the pod %s', (_, first, second) => {
    expect(names([second, first].sort(leastAdvancedFirst))).toEqual(['first', 'second']);
  });

  test('a Job deletes first the later pod, even by a second', () => {
    const pods = [pod('a', { readyFor: 1000 }), pod('b', { readyFor: 999 })];
    expect(names(pods.sort(leastAdvancedFirst))).toEqual(['b', 'a']);
  });
});
