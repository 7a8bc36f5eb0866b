import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ClusterTest, nameOf, SELECTOR, TEMPLATE } from './cluster-test.js';

let cluster: ClusterTest;
beforeEach(async () => {
  cluster = await ClusterTest.start();
});
afterEach(() => cluster.stop());

async function newBudget(spec: object): Promise<string> {
  await cluster.create('apps/v1', 'replicasets', {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web' },
    spec: { replicas: 4, selector: SELECTOR, template: TEMPLATE },
  });
  return cluster.create('policy/v1', 'poddisruptionbudgets', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { selector: SELECTOR, ...spec },
  });
}

async function evictOne(): Promise<number> {
  const [pod] = await cluster.pods();
  const name = nameOf(pod!);
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' } };
  return (await cluster.api.send('POST', `/api/v1/namespaces/default/pods/${name}/eviction`, eviction)).code;
}

const healthy = ({ currentHealthy }: Readonly<Record<string, unknown>>): boolean => currentHealthy === 4;

describe('a PodDisruptionBudget', () => {
  test('a PodDisruptionBudget allows disruptions beyond its minimum', async () => {
    const status = await cluster.statusOnce(await newBudget({ minAvailable: 3 }), healthy);
    expect([status.expectedPods, status.desiredHealthy, status.disruptionsAllowed]).toEqual([4, 3, 1]);
  });

  test('a PodDisruptionBudget computes percentages of the size of the controller', async () => {
    const status = await cluster.statusOnce(await newBudget({ maxUnavailable: '50%' }), healthy);
    expect([status.expectedPods, status.desiredHealthy, status.disruptionsAllowed]).toEqual([4, 2, 2]);
  });

  test('a PodDisruptionBudget accepts an eviction while a disruption is allowed', async () => {
    await cluster.statusOnce(await newBudget({ minAvailable: 3 }), healthy);
    expect(await evictOne()).toBe(201);
  });

  test('a PodDisruptionBudget without allowed disruptions rejects an eviction', async () => {
    await cluster.statusOnce(await newBudget({ minAvailable: 4 }), healthy);
    expect(await evictOne()).toBe(429);
  });
});
