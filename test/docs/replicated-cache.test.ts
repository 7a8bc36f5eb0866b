import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { StatefulSet } from 'kindwright';
import { eventually, review, startCluster, type Cluster } from 'kindwright/testing';
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
    const tooLarge = { metadata: { name: 'c', namespace: 'default' }, spec: { replicas: 11 } };
    await expect(cluster.create(ReplicatedCache, tooLarge)).rejects.toThrow(/20 are allowed/);
  });
});

test('a protected cache is not deleted', async () => {
  await create('d', 1, { 'docs.example.com/protected': 'true' });
  const deletion = cluster.client.delete(ReplicatedCache, 'd', { namespace: 'default' });
  await expect(deletion).rejects.toThrow(/is forbidden: is protected/);
});

test('the methods are called without a server', async () => {
  const { allowed, object, causes, warnings, patch } = await review(ReplicatedCache, {
    object: { metadata: { name: 'a' }, spec: { replicas: 21 } },
  });
  expect(causes).toEqual([{ field: 'spec.replicas', message: '21 replicas in the namespace, 20 are allowed' }]);
  expect({ allowed, warnings }).toEqual({ allowed: false, warnings: [] });
  expect(object.spec.storageClass).toBe('standard');
  expect(patch).toHaveLength(1);
});
