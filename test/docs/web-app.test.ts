import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ConfigMap, CronJob, Deployment, Job, NotFoundError, Secret, StatefulSet, type KindRef } from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { WebApp } from '../../docs/examples/web-app.js';
import { lineCount } from './doc-files.js';

let cluster: Cluster;
let namespace: string;

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.run(WebApp);
});
beforeEach(async () => {
  namespace = await cluster.namespace();
});
afterAll(() => cluster.stop());

const create = (spec: { queues?: string[]; backup?: string } = {}) =>
  cluster.create(WebApp, { metadata: { name: 'shop', namespace }, spec: { image: 'shop:1', replicas: 2, ...spec } });
const change = (spec: object) => cluster.client.patch(WebApp, 'shop', { spec }, { namespace });
const ready = async () => {
  const { status } = await cluster.client.get(WebApp, 'shop', { namespace });
  return status?.conditions?.find(({ type }) => type === 'Ready');
};
const deployments = async () =>
  (await cluster.client.list(Deployment, { namespace })).items.map(({ metadata }) => metadata.name);
const isReady = () =>
  eventually(async () => expect(await ready()).toMatchObject({ status: 'True', reason: 'DependentsReady' }));

test('the example is shorter than 120 lines and has seven dependents', () => {
  const source = readFileSync(join(import.meta.dirname, '../../docs/examples/web-app.ts'), 'utf8');
  expect(lineCount(source)).toBeLessThanOrEqual(120);
  expect(source.match(/@Dependent\(/g)).toHaveLength(7);
});

test('a web app becomes ready with all its objects', async () => {
  await create({ queues: ['mail'] });
  await isReady();
  expect(await deployments()).toEqual(['shop-web', 'shop-worker-mail']);
  const others: [KindRef, string][] = [
    [ConfigMap, 'shop'],
    [Secret, 'shop'],
    [StatefulSet, 'shop-database'],
    [Job, 'shop-migration-1'],
  ];
  for (const [kind, name] of others) {
    const object = await cluster.client.get(kind, name, { namespace });
    expect(object.metadata.ownerReferences).toMatchObject([{ kind: 'WebApp', name: 'shop' }]);
  }
});

test('the worker of a removed queue is deleted, and no other', async () => {
  await create({ queues: ['mail', 'orders'] });
  await eventually(async () =>
    expect(await deployments()).toEqual(['shop-web', 'shop-worker-mail', 'shop-worker-orders']),
  );
  await change({ queues: ['orders'] });
  await eventually(async () => expect(await deployments()).toEqual(['shop-web', 'shop-worker-orders']));
});

test('a web app without a backup schedule has no CronJob', async () => {
  await create({ backup: '0 3 * * *' });
  await eventually(() => cluster.client.get(CronJob, 'shop-backup', { namespace }));
  await change({ backup: null });
  await eventually(async () => {
    await expect(cluster.client.get(CronJob, 'shop-backup', { namespace })).rejects.toThrow(NotFoundError);
  });
});

test('a new image is migrated and rolled out, and the password stays the same', async () => {
  await create();
  await isReady();
  const password = async () => (await cluster.client.get(Secret, 'shop', { namespace })).data?.['password'];
  const before = await password();
  await change({ image: 'shop:2' });
  await eventually(async () => {
    const { spec } = await cluster.client.get(Deployment, 'shop-web', { namespace });
    expect(spec?.template.spec?.containers[0]?.image).toBe('shop:2');
  });
  const jobs = (await cluster.client.list(Job, { namespace })).items;
  expect(jobs.map(({ metadata, status }) => [metadata.name, status?.succeeded])).toEqual([['shop-migration-2', 1]]);
  expect(await password()).toBe(before);
});
