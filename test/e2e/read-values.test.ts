import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Client,
  type Context,
  CustomResource,
  Field,
  Kind,
  loadClusterConfig,
  type ObjectOf,
  type ReadonlyDeep,
  Watches,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { installKinds, RunningManager } from './sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from './suite-control-plane.js';

let cluster: SuiteControlPlane;
let client: Client;
let manager: RunningManager;

const namespace = 'default';
const since = '2026-01-02T03:04:05Z';
const beyondDouble = 9223372036854775807n;

/** What was read, by who has read it. */
const seen = new Map<string, unknown>();

type StoredAlarm = ReadonlyDeep<ObjectOf<typeof Alarm>>;

function record(reader: string, alarm: StoredAlarm | undefined): void {
  if (!seen.has(reader)) seen.set(reader, alarm && { spec: alarm.spec, status: alarm.status });
}

class AlarmSpec {
  @Field() since!: Date;
  @Field({ items: Date }) runs!: Date[];
  @Field({ type: 'integer', format: 'int64' }) limit!: number | bigint;
}

class AlarmStatus {
  @Field({ format: 'int32', optional: true }) rings?: number;
}

@Kind({ group: 'reads.example.com', version: 'v1' })
class Alarm extends CustomResource {
  @Field() spec!: AlarmSpec;
  @Field() status!: AlarmStatus;

  reconcile(): void {
    if (!this.metadata.labels?.['rings']) return;
    this.status.rings = this.spec.since.getUTCSeconds();
  }
}

@Kind({ group: 'reads.example.com', version: 'v1' })
@Watches(Alarm, alarmReaders, {
  predicate: ({ object }) => {
    record('predicate', object);
    return true;
  },
})
class AlarmReader extends CustomResource {
  async reconcile(ctx: Context): Promise<void> {
    const alarm = await ctx.get(Alarm, 'a');
    if (!alarm || seen.has('ctx.update')) return;
    record('ctx.get', alarm);
    record('ctx.list', (await ctx.list(Alarm))[0]);
    record('ctx.client', await ctx.client.get(Alarm, 'a', { namespace }));
    record('ctx.patch', await ctx.patch(Alarm, 'a', { metadata: { labels: { patched: 'true' } } }));
    record(
      'ctx.update',
      await ctx.update(Alarm, alarm, (draft) => {
        record('draft', draft as StoredAlarm);
        draft.metadata.annotations = { updated: 'true' };
      }),
    );
  }
}

function alarmReaders(alarm: StoredAlarm): string[] {
  record('mapper', alarm);
  return ['reader'];
}

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [Alarm, AlarmReader]);
  manager = await RunningManager.start(client, [Alarm, AlarmReader]);
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await cluster.stop();
});

test('every reader but the class itself sees the object as the API server returns it', async () => {
  await client.create(AlarmReader, { metadata: { name: 'reader', namespace } });
  const spec = { since: new Date(since), runs: [since], limit: beyondDouble };
  record('client.create', await client.create(Alarm, { metadata: { name: 'a', namespace }, spec }));
  await eventually(() => expect(seen.has('ctx.update')).toBe(true));
  record('client.get', await client.get(Alarm, 'a', { namespace }));
  record('client.list', (await client.list(Alarm)).items[0]);
  for await (const event of client.watch(Alarm)) {
    if (event.type === 'ADDED') record('client.watch', event.object);
    break;
  }
  const asJson = { spec: { since, runs: [since], limit: beyondDouble }, status: undefined };
  const readers = [
    ...['ctx.get', 'ctx.list', 'ctx.client', 'ctx.patch', 'ctx.update', 'draft', 'mapper', 'predicate'],
    ...['client.create', 'client.get', 'client.list', 'client.watch'],
  ];
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(readers.map((reader) => [reader, asJson])));
});

test('the class itself sees Dates and a status, and the status is stored with the first write', async () => {
  await client.patch(Alarm, 'a', { metadata: { labels: { rings: 'true' } } }, { namespace });
  await eventually(async () => {
    const { status } = await client.get(Alarm, 'a', { namespace });
    expect(status?.rings).toBe(5);
  });
});
