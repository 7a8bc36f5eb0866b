import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { StatefulSet } from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { ReplicatedCache } from '../../docs/examples/replicated-cache.js';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await cluster.run(ReplicatedCache);
});
afterAll(() => cluster.stop());

const create = (name: string, replicas: number, labels: Record<string, string> = {}) =>
  cluster.create(ReplicatedCache, { metadata: { name, namespace: 'default', labels }, spec: { replicas } });

test('a cache gets a storage class before it is stored, and is reconciled', async () => {
  expect((await create('a', 3)).spec.storageClass).toBe('standard');
  const set = await eventually(() => cluster.client.get(StatefulSet, 'a', { namespace: 'default' }));
  expect(set.spec?.replicas).toBe(3);
});

test('the caches of a namespace share a limit', async () => {
  await create('b', 7);
  await eventually(async () => {
    await expect(create('c', 11)).rejects.toThrow(/spec\.replicas: 21 replicas in the namespace, 20 are allowed/);
  });
});

test('a protected cache is not deleted', async () => {
  await create('d', 1, { 'docs.example.com/protected': 'true' });
  const deletion = cluster.client.delete(ReplicatedCache, 'd', { namespace: 'default' });
  await expect(deletion).rejects.toThrow(/is forbidden: is protected/);
});
