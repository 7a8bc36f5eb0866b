import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { ConfigMap, kindByName, Namespace, Secret, type KubeObject } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { limitTests } from '../../time-limits.js';
import { Installation, LAYOUTS } from './installation.js';
import { SimulatedCluster } from './simulated-cluster.js';
import { StoreServer } from './store-server.js';

limitTests(120_000);

interface Conditions extends KubeObject {
  spec: Record<string, unknown>;
  status?: { conditions?: { type: string; status: string; reason: string }[] };
}

const group = 'storage.acme.io';
const Bucket = kindByName<Conditions>({ group, version: 'v1', kind: 'Bucket' });
const BucketV2 = kindByName<Conditions>({ group, version: 'v2', kind: 'Bucket' });
const BucketAccess = kindByName<Conditions>({ group, version: 'v1', kind: 'BucketAccess', plural: 'bucketaccesses' });
const namespace = 'team';

let cluster: SimulatedCluster;
let store: StoreServer;
let before: string[];
beforeAll(async () => {
  [cluster, store] = await Promise.all([SimulatedCluster.start(), StoreServer.start()]);
  before = await cluster.contents();
});
afterAll(async () => {
  await cluster.stop();
  store.stop();
});

const named = (name: string) => ({ name, namespace });
const readyReason = ({ status }: Conditions) => status?.conditions?.find(({ type }) => type === 'Ready')?.reason;

describe.each(LAYOUTS)('the bucket operator in the layout %s', (layout) => {
  let operator: Installation;
  beforeAll(() => {
    operator = new Installation(layout, cluster, 'storage', join(import.meta.dirname, 'bucket'));
  });

  test(`${layout}: release 1 stores buckets and keys, fills and validates`, async () => {
    const { client } = cluster;
    await operator.apply(1);
    await client.create(ConfigMap, {
      metadata: { name: 'bucket-store', namespace: operator.namespace },
      data: { url: store.url },
    });
    await operator.rollOut();
    await client.create(Namespace, { metadata: { name: namespace } });
    await client.create(BucketAccess, { metadata: named('photos-writer'), spec: { bucket: 'photos', role: 'writer' } });
    await eventually(async () => {
      const access = await client.get(BucketAccess, 'photos-writer', { namespace });
      expect(readyReason(access)).toBe('BucketNotReady');
    });
    await client.create(Bucket, { metadata: named('photos'), spec: { quota: '5Gi' } });
    await eventually(async () => {
      const access = await client.get(BucketAccess, 'photos-writer', { namespace });
      expect(readyReason(access)).toBe('Granted');
    });
    expect(Object.fromEntries(store.contents)).toEqual({
      '/buckets/team-photos': { region: 'eu-1', quota: '5Gi' },
      '/keys/team-photos-writer': { bucket: 'photos', role: 'writer' },
    });
    const { data } = await client.get(Secret, 'photos-writer', { namespace });
    expect(Buffer.from(data?.['key'] ?? '', 'base64').toString()).toBe('secret of /keys/team-photos-writer');
    await expect(client.patch(Bucket, 'photos', { spec: { quota: '1Gi' } }, { namespace })).rejects.toThrow(
      /spec\.quota: .*must not shrink/,
    );
    await expect(client.patch(Bucket, 'photos', { spec: { region: 'us-1' } }, { namespace })).rejects.toThrow(
      /field is immutable/,
    );
  });

  test(`${layout}: release 2 serves both versions, and removes the finalizer that it no longer declares`, async () => {
    const { client } = cluster;
    await client.create(BucketAccess, { metadata: named('photos-reader'), spec: { bucket: 'photos' } });
    await eventually(async () => {
      expect(readyReason(await client.get(BucketAccess, 'photos-reader', { namespace }))).toBe('Granted');
    });
    await operator.apply(2);
    await operator.rollOut();
    const { spec } = await client.get(BucketV2, 'photos', { namespace });
    expect(spec).toEqual({ region: 'eu-1', limits: { size: '5Gi' } });
    await client.create(BucketV2, { metadata: named('videos'), spec: { limits: { objects: 1000 } } });
    expect((await client.get(Bucket, 'videos', { namespace })).spec).toEqual({ region: 'eu-1', quota: '1Gi' });
    expect((await client.get(BucketV2, 'videos', { namespace })).spec).toEqual({
      region: 'eu-1',
      limits: { size: '1Gi', objects: 1000 },
    });
    await expect(
      client.patch(BucketV2, 'photos', { spec: { limits: { size: '1Gi' } } }, { namespace }),
    ).rejects.toThrow(/must not shrink/);
    await eventually(() =>
      expect(store.contents.get('/buckets/team-videos')).toEqual({ region: 'eu-1', quota: '1Gi' }),
    );
    await client.delete(BucketAccess, 'photos-reader', { namespace });
    await eventually(async () => {
      const { items } = await client.list(BucketAccess, { namespace });
      expect(items.map(({ metadata: { name, finalizers } }) => [name, finalizers ?? []])).toEqual([
        ['photos-writer', []],
      ]);
    });
  });

  test(`${layout}: nothing is left after the objects are deleted and the operator is uninstalled`, async () => {
    await cluster.kubectl('delete', 'buckets,bucketaccesses', '--all', '--namespace', namespace, '--timeout=30s');
    expect([...store.contents.keys()].filter((path) => path.startsWith('/buckets'))).toEqual([]);
    await operator.uninstall();
    await cluster.kubectl('delete', 'namespace', namespace);
    await eventually(async () => expect(await cluster.contents()).toEqual(before), { timeout: '50s' });
    store.contents.clear();
  });
});
