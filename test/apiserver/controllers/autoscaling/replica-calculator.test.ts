import { describe, expect, test } from '@jest/globals';
import type { PodMetrics } from '../../../../src/apiserver/controllers/autoscaling/metric-source.js';
import {
  ratioReplicas,
  sharedReplicas,
  usageReplicas,
  utilizationReplicas,
  type PodsInView,
} from '../../../../src/apiserver/controllers/autoscaling/replica-calculator.js';
import type { ApiObject } from '../../../../src/apiserver/objects/api-object.js';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

interface Traits {
  readonly phase?: string;
  readonly ready?: string;
  readonly age?: number;
  readonly changed?: number;
  readonly isGoing?: boolean;
  readonly request?: string;
}

function pod(name: string, traits: Traits = {}): ApiObject {
  const { phase = 'Running', ready = 'True', age = 60, changed = age, isGoing = false, request = '100m' } = traits;
  const resources = request === '' ? {} : { requests: { cpu: request } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(isGoing && { deletionTimestamp: ago(0) }) },
    spec: { containers: [{ name: 'c', resources }] },
    status: {
      phase,
      startTime: ago(age),
      conditions: [{ type: 'Ready', status: ready, lastTransitionTime: ago(changed) }],
    },
  };
}

const metricsOf = (values: Readonly<Record<string, number>>, age = 0): PodMetrics =>
  new Map(
    Object.entries(values).map(([name, value]) => [name, { value, timestamp: NOW - age * 60_000, windowMs: 60_000 }]),
  );
const viewOf = (...pods: ApiObject[]): PodsInView => ({
  pods,
  current: pods.length,
  tolerances: { up: 0.1, down: 0.1 },
  nowMs: NOW,
});
const byCpu = (metrics: PodMetrics, view: PodsInView, container = ''): number =>
  utilizationReplicas(metrics, view, { resource: 'cpu', container, target: 50 }).replicas;
const [a, b, c] = [pod('a'), pod('b'), pod('c')];

describe('replicas by utilization', () => {
  test.each([
    ['grow by the ratio', { a: 100, b: 80 }, [a, b], 4],
    ['stay within the tolerance', { a: 55, b: 54 }, [a, b], 2],
    ['shrink by the ratio', { a: 10, b: 10, c: 10 }, [a, b, c], 1],
    ['count a pod without metrics as unused when growing', { a: 150 }, [a, b], 3],
    ['count a pod without metrics as used up when shrinking', { a: 10, b: 10 }, [a, b, c], 3],
    ['count a pending pod as unused when growing', { a: 150 }, [a, pod('b', { phase: 'Pending' })], 3],
    ['leave a pending pod out when shrinking', { a: 10 }, [a, pod('b', { phase: 'Pending' })], 1],
    ['leave out a pod that goes', { a: 50, b: 500 }, [a, pod('b', { isGoing: true })], 2],
    ['leave out a pod that failed', { a: 50, b: 500 }, [a, pod('b', { phase: 'Failed' })], 2],
    ['stay where unready pods would turn the change around', { a: 70 }, [a, pod('b', { phase: 'Pending' })], 2],
    ['leave out a pod that was never ready', { a: 50, b: 500 }, [a, pod('b', { ready: 'False' })], 2],
    ['count a pod that was ready once', { a: 50, b: 150 }, [a, pod('b', { ready: 'False', changed: 30 })], 4],
  ])('replicas by utilization are computed as on Kubernetes: %s', (_, values, pods, replicas) => {
    expect(byCpu(metricsOf(values), viewOf(...pods))).toBe(replicas);
  });

  test('replicas by utilization ignore samples from before a pod had been ready for a window', () => {
    const view = viewOf(a, pod('b', { age: 2 }));
    expect(byCpu(metricsOf({ a: 50, b: 500 }, 1.5), view)).toBe(2);
    expect(byCpu(metricsOf({ a: 50, b: 150 }), view)).toBe(4);
  });

  test.each([
    ['there are no pods', {}, [], '', 'no pods returned by selector while calculating replica count'],
    ['none of them counts', { b: 1 }, [a], '', 'no metrics returned matched known pods'],
    ['none has metrics', {}, [a], '', 'did not receive metrics for targeted pods (pods might be unready)'],
    [
      'one asks for nothing',
      { a: 1 },
      [pod('a', { request: '' })],
      '',
      'missing request for cpu in container c of Pod a',
    ],
    ['one lacks the container', { a: 1 }, [a], 'x', 'container x not found in Pod a'],
  ])('replicas by utilization are unknown where %s', (_, values, pods, container, message) => {
    expect(() => byCpu(metricsOf(values), viewOf(...pods), container)).toThrow(message);
  });
});

test('a pod without metrics counts with the target amount when scaling down', () => {
  const target = { resource: '', target: 100 };
  expect(usageReplicas(metricsOf({ a: 10, b: 10 }), viewOf(a, b, c), target)).toEqual({ replicas: 2, usage: 10 });
});

test('replicas by a total value are the ready ones times the ratio', () => {
  expect(ratioReplicas(1.5, viewOf(a, b, pod('c', { ready: 'False' })))).toBe(3);
  expect(ratioReplicas(1.05, viewOf(a, b))).toBe(2);
});

test('replicas by an average of a total value are its quotient, rounded up', () => {
  const tolerances = { up: 0.1, down: 0.1 };
  expect(sharedReplicas(305, 100, 2, tolerances)).toEqual({ replicas: 4, usage: 153 });
  expect(sharedReplicas(210, 100, 2, tolerances)).toEqual({ replicas: 2, usage: 105 });
});
