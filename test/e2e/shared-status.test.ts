import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  Client,
  Condition,
  type Context,
  CustomResource,
  Field,
  Finalizer,
  Kind,
  loadClusterConfig,
  setCondition,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';

class InstallStatus {
  @Field({ optional: true }) phase?: string;
  @Field({ items: String, optional: true }) nodes?: string[];
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'], optional: true }) conditions?: Condition[];
}

type Behavior = (install: Install, ctx: Context) => Promise<void> | void;

const behaviors = new Map<string, Behavior>();
const cleanups = new Map<string, Behavior>();

@Kind({ group: 'status.example.com', version: 'v1' })
class Install extends CustomResource {
  @Field() status!: InstallStatus;

  async reconcile(ctx: Context): Promise<void> {
    await behaviors.get(this.metadata.name)?.(this, ctx);
  }

  @Finalizer('status.example.com/first')
  async first(ctx: Context): Promise<void> {
    await cleanups.get(`${this.metadata.name}/first`)?.(this, ctx);
  }

  @Finalizer('status.example.com/second')
  async second(ctx: Context): Promise<void> {
    await cleanups.get(`${this.metadata.name}/second`)?.(this, ctx);
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
  await installKinds(client, [Install]);
  manager = await RunningManager.start(client, [Install]);
});
beforeEach(() => {
  count += 1;
  name = `install-${String(count)}`;
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

const install = () => client.get(Install, name, { namespace });
const condition = (type: string, status: 'True' | 'False', reason = 'Test') => ({
  ...{ type, status, reason, message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
});
/** Another writer, as kube-controller-manager or a second operator. */
const applyStatus = (status: object) =>
  client.apply(
    Install,
    { metadata: { name, namespace }, status },
    { subresource: 'status', fieldManager: 'other', force: true },
  );
const patchStatus = (ctx: Context, status: object) => ctx.patch(Install, name, { status }, { subresource: 'status' });
const conditionTypes = async () => (await install()).status?.conditions?.map(({ type, status }) => `${type}=${status}`);

test('a condition that another writer adds during a reconcile stays', async () => {
  let isFirst = true;
  behaviors.set(name, async (self) => {
    if (isFirst) await applyStatus({ conditions: [condition('Other', 'True')] });
    isFirst = false;
    self.status.conditions = setCondition(self.status.conditions, condition('Own', 'True'));
  });
  await client.create(Install, { metadata: { name, namespace } });
  await eventually(async () => expect(await conditionTypes()).toContain('Own=True'));
  expect(await conditionTypes()).toEqual(['Other=True', 'Own=True']);
});

test('a condition that another writer adds before a failure is recorded stays', async () => {
  let isFirst = true;
  behaviors.set(name, async () => {
    if (isFirst) await applyStatus({ conditions: [condition('Other', 'True')] });
    isFirst = false;
    throw new Error('no');
  });
  await client.create(Install, { metadata: { name, namespace } });
  await eventually(async () => expect(await conditionTypes()).toEqual(['Other=True', 'Reconciled=False']));
});

test('a reconcile is repeated when another writer changes a list that it has changed', async () => {
  const seen: (readonly string[] | undefined)[] = [];
  behaviors.set(name, async (self) => {
    seen.push(self.status.nodes && [...self.status.nodes]);
    if (seen.length === 1) await applyStatus({ nodes: ['other'] });
    if (!self.status.nodes?.includes('own')) self.status.nodes = [...(self.status.nodes ?? []), 'own'];
  });
  await client.create(Install, { metadata: { name, namespace } });
  await eventually(async () => expect((await install()).status?.nodes).toEqual(['other', 'own']));
  expect(seen.slice(0, 2)).toEqual([undefined, ['other']]);
});

test('the final status is stored after a progress report, also if it equals the status before', async () => {
  let hasReported = false;
  behaviors.set(name, async (self, ctx) => {
    if (self.status.phase !== undefined) {
      await patchStatus(ctx, { phase: 'Updating' });
      hasReported = true;
    }
    self.status.phase = 'Ready';
  });
  await client.create(Install, { metadata: { name, namespace } });
  await eventually(async () => expect((await install()).status?.phase).toBe('Ready'));
  await client.patch(Install, name, { metadata: { labels: { again: 'true' } } }, { namespace });
  await eventually(() => expect(hasReported).toBe(true));
  await eventually(async () => expect((await install()).status?.phase).toBe('Ready'));
});

test('a status that only ctx.patch has written stays', async () => {
  const seen: (string | undefined)[] = [];
  behaviors.set(name, async (self, ctx) => {
    await patchStatus(ctx, { phase: 'Patched' });
    seen.push(self.status.phase);
    self.status.nodes = ['a'];
  });
  await client.create(Install, { metadata: { name, namespace } });
  await eventually(async () => expect((await install()).status).toEqual({ phase: 'Patched', nodes: ['a'] }));
  expect(seen[0]).toBe('Patched');
});

test('a finalizer method sees the status that the method before it has written', async () => {
  const phases: (string | undefined)[] = [];
  behaviors.set(name, (self) => {
    self.status.phase = 'Ready';
  });
  cleanups.set(`${name}/first`, (self) => {
    self.status.phase = 'First';
  });
  cleanups.set(`${name}/second`, async (self) => {
    phases.push(self.status.phase, (await install()).status?.phase);
    self.status.phase = 'Ready';
  });
  await client.create(Install, { metadata: { name, namespace, finalizers: ['status.example.com/kept'] } });
  await eventually(async () => expect((await install()).status?.phase).toBe('Ready'));
  await client.delete(Install, name, { namespace });
  await eventually(async () => expect((await install()).metadata.finalizers).toEqual(['status.example.com/kept']));
  expect(phases).toEqual(['First', 'First']);
  expect((await install()).status?.phase).toBe('Ready');
  await client.patch(Install, name, { metadata: { finalizers: null } }, { namespace });
});
