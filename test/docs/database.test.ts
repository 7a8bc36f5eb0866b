import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  ConfigMap,
  CronJob,
  Job,
  Node,
  NotFoundError,
  PodDisruptionBudget,
  Secret,
  Service,
  StatefulSet,
} from 'kindwright';
import { eventually, FakeClock, startCluster, type Cluster } from 'kindwright/testing';
import { Database, DatabaseV1Alpha1, Inventory } from '../../docs/examples/database.js';
import { lineCount } from './doc-files.js';

/** An inventory in memory. */
class FakeInventory extends Inventory {
  readonly names = new Map<string, string>();
  isUp = true;

  register(name: string): Promise<string> {
    const id = `id-${name}`;
    this.names.set(id, name);
    return Promise.resolve(id);
  }

  isHealthy(id: string): Promise<boolean> {
    return Promise.resolve(this.isUp && this.names.has(id));
  }

  remove(id: string): Promise<void> {
    this.names.delete(id);
    return Promise.resolve();
  }
}

const clock = new FakeClock();
const inventory = new FakeInventory();
let cluster: Cluster;
let namespace: string;

beforeAll(async () => {
  cluster = await startCluster({ clock });
  cluster.provide(Inventory, inventory);
  await cluster.run(Database, DatabaseV1Alpha1);
});
beforeEach(async () => {
  inventory.isUp = true;
  namespace = await cluster.namespace();
});
afterAll(() => cluster.stop());

const create = (backup?: string, replicas = 1) =>
  cluster.create(Database, {
    metadata: { name: 'orders', namespace },
    spec: { version: '17.2', replicas, ...(backup && { backup }) },
  });
const database = () => cluster.client.get(Database, 'orders', { namespace });
const readyCondition = async () => (await database()).status?.conditions?.find(({ type }) => type === 'Ready');
const isReady = () => eventually(async () => expect(await readyCondition()).toMatchObject({ status: 'True' }));

test('the operator of a database is at most 120 lines long', () => {
  const source = readFileSync('docs/examples/database.ts', 'utf8');
  expect(lineCount(source)).toBeLessThanOrEqual(120);
});

test('a database becomes ready with all its seven objects', async () => {
  await create('0 3 * * *', 2);
  await isReady();
  expect((await database()).status).toMatchObject({ readyReplicas: 2, id: 'id-orders' });
  const kinds = [ConfigMap, Secret, Service, StatefulSet, PodDisruptionBudget, CronJob];
  for (const [kind, name] of [...kinds.map((each) => [each, 'orders'] as const), [Job, 'orders-schema'] as const]) {
    const { metadata } = await eventually(() => cluster.client.get(kind, name, { namespace }));
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Database', name: 'orders' }]);
  }
});

test('the password stays the same through changes of the spec', async () => {
  await create();
  await isReady();
  const password = async () => (await cluster.client.get(Secret, 'orders', { namespace })).data?.['password'];
  const before = await password();
  await cluster.client.patch(Database, 'orders', { spec: { settings: { shared_buffers: '1GB' } } }, { namespace });
  await eventually(async () => {
    const { data } = await cluster.client.get(ConfigMap, 'orders', { namespace });
    expect(data).toEqual({ shared_buffers: '1GB' });
  });
  expect(await password()).toBe(before);
});

test('a database without a backup schedule has no CronJob', async () => {
  await create('0 3 * * *');
  await eventually(() => cluster.client.get(CronJob, 'orders', { namespace }));
  await cluster.client.patch(Database, 'orders', { spec: { backup: null } }, { namespace });
  await eventually(async () => {
    await expect(cluster.client.get(CronJob, 'orders', { namespace })).rejects.toThrow(NotFoundError);
  });
});

test('a failure of the inventory shows within a minute', async () => {
  await create();
  await isReady();
  inventory.isUp = false;
  await clock.advance(60_000);
  await eventually(async () => expect(await readyCondition()).toMatchObject({ status: 'False' }));
});

test('the status counts the zones of labelled nodes', async () => {
  await create();
  await isReady();
  const labels = { 'example.com/databases': 'true', 'topology.kubernetes.io/zone': 'a' };
  await cluster.client.patch(Node, 'node-1', { metadata: { labels } });
  await eventually(async () => expect((await database()).status?.zones).toBe(1));
});

test('a deleted database leaves the inventory', async () => {
  await create();
  await isReady();
  await cluster.client.delete(Database, 'orders', { namespace });
  await eventually(async () => {
    await expect(database()).rejects.toThrow(NotFoundError);
    expect(inventory.names.size).toBe(0);
  });
});

test('an object of the first version is served in the second one', async () => {
  await cluster.create(DatabaseV1Alpha1, {
    metadata: { name: 'orders', namespace },
    spec: { replicas: 2, version: '16' },
  });
  await isReady();
  expect((await database()).spec).toEqual({ replicas: 2, version: '16' });
});
