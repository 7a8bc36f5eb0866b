import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, ConfigMap, loadClusterConfig, type Context } from 'kindwright';
import { EventsEvent } from '../../../src/api/kinds/kinds.js';
import { createMetrics, type Metrics } from '../../../src/base/metrics.js';
import { SystemClock } from '../../../src/base/system-clock.js';
import { formatTime } from '../../../src/base/timestamp.js';
import { Doctor } from '../../../src/console/doctor/doctor.js';
import { eventually } from '../../../src/testing/eventually.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { behaviors, Caused, type Behavior } from '../run/caused.js';
import { installKinds, RunningManager } from '../../e2e/sdk/running-manager.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';

const namespace = 'default';
/** A line of this file, as the author of an operator gets one of the operator's. */
const LINE = expect.stringMatching(/^test\/controller\/hot-loops\/planted-hot-loops\.test\.ts:\d+:\d+$/);
const QUOTED = expect.stringMatching(/^".*"$/);

let cluster: SuiteControlPlane | undefined;
let client: Client;
let metrics: Metrics;
let manager: RunningManager | undefined;
const doctor = new Doctor({
  clock: new SystemClock(),
  logger: new RecordingLogger(),
  refOf: ({ controller, key }) => ({ kind: controller, name: key }),
  inspect: () => [],
});

interface Loop {
  readonly title: string;
  readonly name: string;
  readonly reconcile: Behavior;
  /** Called once a second writer is to begin. */
  readonly rival?: (name: string) => Promise<void>;
  readonly finding: object;
}

const apply = (ctx: Context, name: string, data: Record<string, string>) =>
  ctx.apply(ConfigMap, { metadata: { name }, data });
const time = (run: number): string => formatTime(run * 1000);
const flip = (run: number): string => (run % 2 === 0 ? 'b,a' : 'a,b');

const LOOPS: readonly Loop[] = [
  {
    title: 'a time in the data of a child',
    name: 'time',
    reconcile: (self, ctx, run) => apply(ctx, self.metadata.name, { time: time(run) }),
    finding: { rule: 'own-write', location: LINE, change: { path: 'data.time', from: QUOTED, to: QUOTED } },
  },
  {
    title: 'the order of a list in the data of a child',
    name: 'order',
    reconcile: (self, ctx, run) => apply(ctx, self.metadata.name, { nodes: flip(run) }),
    finding: { rule: 'own-write', location: LINE, change: { path: 'data.nodes', from: QUOTED, to: QUOTED } },
  },
  {
    title: 'one of many keys',
    name: 'key',
    reconcile: (self, ctx, run) => apply(ctx, self.metadata.name, { a: '1', b: '2', seen: time(run), z: '3' }),
    finding: { rule: 'own-write', location: LINE, change: { path: 'data.seen', from: QUOTED, to: QUOTED } },
  },
  {
    title: 'an annotation of a child',
    name: 'child-annotation',
    reconcile: ({ metadata: { name } }, ctx, run) =>
      ctx.apply(ConfigMap, { metadata: { name, annotations: { checked: time(run) } } }),
    finding: {
      rule: 'own-write',
      location: LINE,
      change: { path: 'metadata.annotations.checked', from: QUOTED, to: QUOTED },
    },
  },
  {
    title: 'the own spec',
    name: 'spec',
    reconcile: ({ metadata: { name } }, ctx, run) => ctx.patch(Caused, name, { spec: { value: flip(run) } }),
    finding: { rule: 'own-write', location: LINE, change: { path: 'spec.value', from: QUOTED, to: QUOTED } },
  },
  {
    title: 'an own annotation',
    name: 'annotation',
    reconcile: ({ metadata: { name } }, ctx, run) =>
      ctx.patch(Caused, name, { metadata: { annotations: { seen: time(run) } } }),
    finding: {
      rule: 'own-write',
      location: LINE,
      change: { path: 'metadata.annotations.seen', from: QUOTED, to: QUOTED },
    },
  },
  {
    title: 'a child that is deleted and created again',
    name: 'again',
    reconcile: async ({ metadata: { name } }, ctx) => {
      const child = await ctx.get(ConfigMap, name);
      if (child) await ctx.delete(ConfigMap, child);
      await apply(ctx, name, {});
    },
    finding: { rule: 'own-write', location: LINE, change: { path: '', from: QUOTED, to: QUOTED } },
  },
  {
    title: 'another client that sets a field back',
    name: 'rival',
    reconcile: ({ metadata: { name } }, ctx) => apply(ctx, name, { owner: 'operator' }),
    rival: async (name) => {
      const { data } = await client.get(ConfigMap, name, { namespace });
      if (data?.['owner'] !== 'rival') await client.patch(ConfigMap, name, { data: { owner: 'rival' } }, { namespace });
    },
    finding: {
      rule: 'second-writer',
      location: LINE,
      message: expect.stringContaining('field manager "rival"'),
      change: { path: 'data.owner', from: '"rival"', to: '"operator"' },
    },
  },
  {
    title: 'requeueAfter of a millisecond',
    name: 'timer',
    reconcile: () => ({ requeueAfter: 1 }),
    finding: { rule: 'timer' },
  },
  {
    title: 'requeueAfter of some milliseconds with a time in the status',
    name: 'timer-status',
    reconcile: (self, _, run) => {
      self.status.seen = time(run);
      return { requeueAfter: 5 };
    },
    finding: { rule: 'timer', change: { path: 'status.seen', from: QUOTED, to: QUOTED } },
  },
  {
    title: 'a label of a child',
    name: 'label',
    reconcile: ({ metadata: { name } }, ctx, run) =>
      ctx.apply(ConfigMap, { metadata: { name, labels: { run: flip(run).replace(',', '-') } } }),
    finding: { rule: 'own-write', location: LINE, change: { path: 'metadata.labels.run', from: QUOTED, to: QUOTED } },
  },
];

/** Each reconciles until nothing changes. */
const SOUND: Readonly<Record<string, Behavior>> = {
  'sound-child': (self, ctx) => apply(ctx, self.metadata.name, { value: self.spec.value }),
  'sound-status': (self) => void (self.status.seen = self.spec.value),
  'sound-poll': () => ({ requeueAfter: 200 }),
  'sound-steps': async (self, ctx, run) => {
    if (run <= 40) await apply(ctx, self.metadata.name, { step: String(run) });
  },
  'sound-repair': (self, ctx) => apply(ctx, self.metadata.name, { value: 'right' }),
};

beforeAll(async () => {
  cluster = await startSuiteControlPlane({ parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }), { fieldManager: 'rival' });
  await installKinds(client, [Caused]);
  metrics = await createMetrics();
  manager = await RunningManager.start(client, [Caused], { observer: doctor.observer, metrics });
  for (const { name, reconcile } of LOOPS) behaviors.set(name, reconcile);
  for (const [name, reconcile] of Object.entries(SOUND)) behaviors.set(name, reconcile);
  const names = [...behaviors.keys()];
  await Promise.all(
    names.map((name) => client.create(Caused, { metadata: { name, namespace }, spec: { value: 'a' } })),
  );
});
afterAll(async () => {
  await manager?.stop();
  client.close();
  await cluster?.stop();
});

const findingsOf = (name: string) => doctor.findings.filter(({ object }) => object?.name === `${namespace}/${name}`);

test.each(LOOPS)(
  'a hot loop is found with field, both values, cause and line: $title',
  async ({ name, rival, finding }) => {
    await eventually(
      async () => {
        await rival?.(name).catch(() => undefined);
        expect(findingsOf(name)).toHaveLength(1);
      },
      { timeout: '30s', interval: 10 },
    );
    expect(findingsOf(name)).toMatchObject([finding]);
  },
);

test('no hot loop is reported for reconciles that come to an end, and for changes by others', async () => {
  for (let change = 0; change < 30; change++) {
    const value = String(change);
    for (const name of Object.keys(SOUND)) await client.patch(Caused, name, { spec: { value } }, { namespace });
    await client.patch(ConfigMap, 'sound-child', { metadata: { labels: { change: value } } }, { namespace });
  }
  await eventually(async () => {
    expect((await client.get(Caused, 'sound-status', { namespace })).status?.seen).toBe('29');
    expect((await client.get(ConfigMap, 'sound-steps', { namespace })).data?.['step']).toBe('40');
  });
  expect(Object.keys(SOUND).flatMap(findingsOf)).toEqual([]);
});

test('each hot loop is an Event of its object, and counted', async () => {
  await eventually(async () => {
    const { items } = await client.list(EventsEvent, { namespace });
    const names = items.filter(({ reason }) => reason === 'HotLoop').map(({ regarding }) => regarding?.name ?? '');
    expect(names.toSorted()).toEqual(LOOPS.map(({ name }) => name).toSorted());
  });
  const count = (cause: string): number =>
    LOOPS.filter(({ finding }) => JSON.stringify(finding).includes(cause)).length;
  const { text } = await metrics.expose();
  for (const [cause, rule] of Object.entries({
    'own write': 'own-write',
    'second writer': 'second-writer',
    timer: 'timer',
  }))
    expect(text).toContain(
      `kindwright_hot_loops_total{controller="caused",cause="${cause}"} ${String(count(`"rule":"${rule}"`))}`,
    );
});
