import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  Client,
  Condition,
  ConfigMap,
  type Context,
  CustomResource,
  Dependent,
  type Desired,
  Field,
  Kind,
  loadClusterConfig,
  NotFoundError,
  Secret,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
const isLabelled = (label: string) => (live: ConfigMap) => live.metadata.labels?.[label] === 'true';

class WarehouseSpec {
  @Field({ items: String }) shelves!: string[];
  @Field() hasOffice!: boolean;
}

class WarehouseStatus {
  @Field({ format: 'int32', optional: true }) shelves?: number;
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'] }) conditions?: Condition[];
}

/** Shelves need an open gate, and can be removed once they are empty. */
@Kind({ group: 'dependents.example.com', version: 'v1' })
class Warehouse extends CustomResource {
  @Field() spec!: WarehouseSpec;
  @Field() status!: WarehouseStatus;

  @Dependent(ConfigMap, { ready: isLabelled('open') })
  gate(): Desired<ConfigMap> {
    return { metadata: { name: `${this.metadata.name}-gate` } };
  }

  @Dependent(ConfigMap, { dependsOn: ['gate'], deleteWhen: isLabelled('empty') })
  shelves(): Desired<ConfigMap>[] {
    return this.spec.shelves.map((shelf) => ({ metadata: { name: `${this.metadata.name}-${shelf}` } }));
  }

  @Dependent(Secret, { when: (warehouse: Warehouse) => warehouse.spec.hasOffice, createOnly: true })
  office(): Desired<Secret> {
    return { metadata: { name: `${this.metadata.name}-office` }, stringData: { key: randomUUID() } };
  }

  async reconcile(ctx: Context): Promise<void> {
    const owned = await ctx.list(ConfigMap);
    this.status.shelves = owned.filter(({ metadata }) => metadata.name.startsWith(`${this.metadata.name}-s`)).length;
  }
}

let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;
let count = 0;
let name: string;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Warehouse]);
  manager = await RunningManager.start(client, [Warehouse]);
});
beforeEach(() => {
  count += 1;
  name = `warehouse-${String(count)}`;
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

const create = (...shelves: string[]) =>
  client.create(Warehouse, { metadata: { name, namespace }, spec: { shelves, hasOffice: true } });
const label = (suffix: string, key: string) =>
  client.patch(ConfigMap, `${name}-${suffix}`, { metadata: { labels: { [key]: 'true' } } }, { namespace });
const warehouse = () => client.get(Warehouse, name, { namespace });
const names = async () =>
  (await client.list(ConfigMap, { namespace })).items
    .filter(({ metadata }) => metadata.name.startsWith(`${name}-`))
    .map(({ metadata }) => metadata.name.slice(name.length + 1));
const hasCondition = (condition: object) =>
  eventually(async () =>
    expect((await warehouse()).status?.conditions).toContainEqual(expect.objectContaining(condition)),
  );
const waiting = { type: 'Ready', status: 'False', message: 'gate is not ready; shelves waits for gate' };

/** A warehouse with these shelves and an open gate. */
async function open(...shelves: string[]): Promise<void> {
  await create(...shelves);
  await hasCondition(waiting);
  await label('gate', 'open');
  await hasCondition({ type: 'Ready', status: 'True', reason: 'DependentsReady' });
}

test('a dependent is created once the dependents before it are ready', async () => {
  await create('s1', 's2');
  await hasCondition(waiting);
  expect(await names()).toEqual(['gate']);
  await label('gate', 'open');
  await hasCondition({ type: 'Ready', status: 'True' });
  expect(await names()).toEqual(['gate', 's1', 's2']);
  await eventually(async () => expect((await warehouse()).status?.shelves).toBe(2));
});

test('an object that is no longer returned is deleted as soon as its precondition holds', async () => {
  await open('s1', 's2');
  await client.patch(Warehouse, name, { spec: { shelves: ['s2', 's3'] } }, { namespace });
  await eventually(async () => expect(await names()).toEqual(['gate', 's1', 's2', 's3']));
  await label('s1', 'empty');
  await eventually(async () => expect(await names()).toEqual(['gate', 's2', 's3']));
});

test('a dependent whose precondition no longer holds is deleted, and created again once it holds', async () => {
  await open();
  const secret = () => client.get(Secret, `${name}-office`, { namespace });
  const { uid } = (await secret()).metadata;
  await client.patch(Warehouse, name, { spec: { hasOffice: false } }, { namespace });
  await eventually(() => expect(secret()).rejects.toThrow(NotFoundError));
  await client.patch(Warehouse, name, { spec: { hasOffice: true } }, { namespace });
  await eventually(async () => expect((await secret()).metadata.uid).not.toBe(uid));
});

test('an object of another creator is not adopted as a dependent', async () => {
  await client.create(ConfigMap, { metadata: { name: `${name}-gate`, namespace }, data: { by: 'hand' } });
  await create();
  await hasCondition({ type: 'Ready', status: 'False', reason: 'DependentFailed' });
  expect((await client.get(ConfigMap, `${name}-gate`, { namespace })).metadata.ownerReferences).toBeUndefined();
});

test('a deleted owner stays until its dependents are deleted in reverse order', async () => {
  await open('s1');
  await client.delete(Warehouse, name, { namespace });
  await eventually(() => expect(client.get(Secret, `${name}-office`, { namespace })).rejects.toThrow(NotFoundError));
  expect(await names()).toEqual(['gate', 's1']);
  expect((await warehouse()).metadata.finalizers).toEqual(['dependents.example.com/dependents']);
  await label('s1', 'empty');
  await eventually(() => expect(warehouse()).rejects.toThrow(NotFoundError));
  expect(await names()).toEqual([]);
});
