import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  Condition,
  ConfigMap,
  Controller,
  CustomResource,
  Field,
  Kind,
  loadClusterConfig,
  Watches,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

const namespace = 'default';
const calls: string[] = [];

class BurstSpec {
  @Field({ type: Number, format: 'int32' }) size!: number;
}

@Kind({ group: 'rates.example.com', version: 'v1' })
@Controller({ debounce: '1s' })
class Burst extends CustomResource {
  @Field() spec!: BurstSpec;

  reconcile(): void {
    calls.push(`${this.metadata.name} ${this.spec.size}`);
  }
}

class LimitedStatus {
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'], optional: true }) conditions?: Condition[];
}

@Kind({ group: 'rates.example.com', version: 'v1' })
@Controller({ maxAttempts: 4, baseDelay: '10ms' })
class Limited extends CustomResource {
  @Field() status!: LimitedStatus;

  reconcile(): void {
    calls.push(this.metadata.name);
    throw new Error('not today');
  }
}

/** At most one reconcile in 200 ms; those that a ConfigMap of the name asks for come first. */
@Kind({ group: 'rates.example.com', version: 'v1' })
@Controller({ rateLimit: { total: 1, within: '200ms' }, delayFactor: 3, delayJitter: 0.5 })
@Watches(ConfigMap, ({ metadata }) => [{ name: metadata.name, priority: 'high' }])
class Queued extends CustomResource {
  reconcile(): void {
    calls.push(this.metadata.name);
    times.push(performance.now());
  }
}

const times: number[] = [];
let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Burst, Limited, Queued]);
  manager = await RunningManager.start(client, [Burst, Limited, Queued]);
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

test('with debounce, changes of an object within the time lead to one reconcile', async () => {
  await client.create(Burst, { metadata: { name: 'many', namespace }, spec: { size: 0 } });
  for (let size = 1; size <= 5; size++) await client.patch(Burst, 'many', { spec: { size } }, { namespace });
  await eventually(() => expect(calls).toEqual(['many 5']));
});

test('with maxAttempts, an object that fails is given up and shows it, until it changes', async () => {
  await client.create(Limited, { metadata: { name: 'stuck', namespace } });
  const condition = async () =>
    (await client.get(Limited, 'stuck', { namespace })).status?.conditions?.find(({ type }) => type === 'Reconciled');
  await eventually(async () =>
    expect(await condition()).toMatchObject({
      status: 'False',
      message: expect.stringMatching(/^4 attempts failed; given up: /),
    }),
  );
  await manager.logged(/Given up until the object changes/);
  expect(calls.filter((name) => name === 'stuck')).toHaveLength(4);
  await client.patch(Limited, 'stuck', { metadata: { labels: { changed: 'true' } } }, { namespace });
  await eventually(() => expect(calls.filter((name) => name === 'stuck')).toHaveLength(8));
});

test('with rateLimit, objects wait their turn, and those of high priority are reconciled first', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `queued-${String(index)}`);
  for (const name of names) await client.create(Queued, { metadata: { name, namespace } });
  await client.create(ConfigMap, { metadata: { name: 'queued-7', namespace } });
  await eventually(() => expect(calls.filter((name) => name.startsWith('queued')).toSorted()).toEqual(names));
  expect(calls.indexOf('queued-7')).toBeLessThan(calls.indexOf('queued-6'));
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1300);
});
