import { setTimeout as delay } from 'node:timers/promises';
import { ConfigMap, EventsEvent, partOf, Pod, ServiceAccount } from 'kindwright';
import { PodBugger } from '../../../operators/podbugger.js';
import { Gear } from '../harness/gear.js';
import { createPod } from '../harness/crash-scenarios.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { assert, assertConverged, assertEqual, assertQuiet, within } from '../oracles/converged.js';
import { CountingClock } from '../oracles/counting-clock.js';
import { answer, editLines, Gate, statusReply } from '../proxy/faults.js';

const HOUR_MS = 3_600_000;

/** The system time of a machine whose clock is wrong. */
class SkewedClock extends CountingClock {
  constructor(private readonly skewMs: number) {
    super();
  }

  override now(): number {
    return super.now() + this.skewMs;
  }
}

const SelectedMap = partOf(ConfigMap, { labelSelector: 'app=gear' });
const THEIRS = { theirs: 'kept' };

/** Asserts that the object of another owner, with the name of a child and without its fields, has not changed. */
async function assertLeftAlone(world: World): Promise<void> {
  const { admin, namespace } = world;
  await world.createGear('taken');
  await world.createGear('other');
  await within(30_000, () => admin.get(ConfigMap, 'other', { namespace }));
  await delay(3_000);
  const { data, metadata } = await admin.get(ConfigMap, 'taken', { namespace });
  assertEqual([data, metadata.ownerReferences], [THEIRS, undefined], 'object');
}

/** Replaces the owner references of a child, as a user may. */
async function setOwners({ admin, namespace }: World, name: string, ownerReferences: object[] | null): Promise<void> {
  await admin.patch(ConfigMap, name, { metadata: { ownerReferences } }, { namespace });
}

export const FOREIGN_OBJECT_ROWS: readonly Row[] = [
  {
    id: 'F83-selected',
    title: 'an existing object with the name of a child is not changed, even if the selector of the cache excludes it',
    async run(world) {
      const { admin, namespace } = world;
      await admin.create(ConfigMap, { metadata: { name: 'taken', namespace }, data: THEIRS });
      world.gear = async ({ metadata: { name }, spec }, ctx) => {
        await ctx.watch(SelectedMap);
        await ctx.apply(SelectedMap, { metadata: { name, labels: { app: 'gear' } }, data: { value: spec.value } });
      };
      await world.start();
      await assertLeftAlone(world);
    },
  },
  {
    id: 'F83-unseen',
    title: 'an existing object with the name of a child is not changed, even before the cache contains it',
    async run(world) {
      const { admin, namespace, proxy } = world;
      let isHidden = false;
      const lines = editLines(({ text }) => ({ send: isHidden ? [] : [text] }));
      proxy.inject({ verb: 'watch', resource: 'configmaps' }, lines);
      await world.start();
      await world.createGear('first');
      await assertConverged(world);
      isHidden = true;
      await admin.create(ConfigMap, { metadata: { name: 'taken', namespace }, data: THEIRS });
      await assertLeftAlone(world);
    },
  },
  {
    id: 'F82',
    title: 'a child that has lost its owner reference gets it back with one write',
    async run(world) {
      const { admin, namespace, proxy } = world;
      await world.start();
      await world.createGear('owner');
      await assertConverged(world);
      const { uid } = (await admin.get(ConfigMap, 'owner', { namespace })).metadata;
      const before = proxy.writes.length;
      await setOwners(world, 'owner', null);
      const [gear] = await world.gears();
      await within(30_000, async () => {
        const { metadata } = await admin.get(ConfigMap, 'owner', { namespace });
        assertEqual([metadata.uid, metadata.ownerReferences?.[0]?.uid], [uid, gear?.metadata.uid], 'child and owner');
      });
      await assertConverged(world);
      assertEqual(proxy.writes.length - before, 1, 'writes');
    },
  },
  {
    id: 'F82-orphaned',
    title:
      'a child that has lost its owner reference is not changed if its owner was deleted, even before the cache shows it',
    async run(world) {
      const { admin, namespace, proxy } = world;
      await world.start();
      await world.createGear('owner');
      await assertConverged(world);
      const gate = new Gate();
      proxy.inject({ verb: 'watch', resource: 'gears' }, gate.lines);
      for (const watch of proxy.watches()) watch.end();
      await within(30_000, () => assertEqual(proxy.watches().length, 2, 'watches'));
      await admin.delete(Gear, 'owner', { namespace });
      await setOwners(world, 'owner', null);
      const { resourceVersion } = (await admin.get(ConfigMap, 'owner', { namespace })).metadata;
      await delay(3_000);
      const { metadata } = await admin.get(ConfigMap, 'owner', { namespace });
      assertEqual([metadata.resourceVersion, metadata.ownerReferences], [resourceVersion, undefined], 'child');
      gate.release();
      await admin.delete(ConfigMap, 'owner', { namespace });
      await assertConverged(world, 45_000);
    },
  },
  {
    id: 'F82-rival',
    title: 'a child that was given to another controller is not changed, and an Event of the object reports it',
    async run(world) {
      const { admin, namespace, proxy } = world;
      await world.start();
      await world.createGear('owner');
      await assertConverged(world);
      const rival = { apiVersion: 'v1', kind: 'ConfigMap', name: 'rival', uid: 'another-uid', controller: true };
      await setOwners(world, 'owner', [rival]);
      const before = await admin.get(ConfigMap, 'owner', { namespace });
      await world.changeGear('owner', 'b');
      await within(60_000, async () => {
        const { items } = await admin.list(EventsEvent, { namespace });
        const notes = items.filter(({ regarding }) => regarding?.name === 'owner').map(({ note = '' }) => note);
        assert(
          notes.some((note) => note.includes('another controller')),
          `Events: ${notes.join('; ')}`,
        );
      });
      const after = await admin.get(ConfigMap, 'owner', { namespace });
      assertEqual(after, before, 'child');
      const attempts = proxy.writes.filter(({ resource }) => resource === 'configmaps').length;
      assertEqual(attempts, 1, 'writes of the child');
      await setOwners(world, 'owner', null);
      await assertConverged(world, 60_000);
    },
  },
  {
    id: 'F92',
    title: 'a child in deletion that has a finalizer of another controller causes no loop, and is created again',
    async run(world) {
      const { admin, namespace, proxy } = world;
      await world.start();
      await world.createGear('owner');
      await assertConverged(world);
      await admin.patch(ConfigMap, 'owner', { metadata: { finalizers: ['example.com/theirs'] } }, { namespace });
      await admin.delete(ConfigMap, 'owner', { namespace });
      const before = proxy.writes.length;
      await world.changeGear('owner', 'b');
      await delay(5_000);
      const writes = proxy.writes.length - before;
      assert(writes <= 8, `${writes} writes while the child is being deleted`);
      const { finalizers } = (await admin.get(ConfigMap, 'owner', { namespace })).metadata;
      assertEqual(finalizers, ['example.com/theirs'], 'finalizers of the other controller');
      await admin.patch(ConfigMap, 'owner', { metadata: { finalizers: null } }, { namespace });
      await assertConverged(world, 45_000);
    },
  },
  {
    id: 'F93',
    title: 'an object with 5,000 children reaches its last state with few writes',
    async run(world) {
      const { admin, namespace, proxy } = world;
      const labels = { of: 'large' };
      const waiting = Array.from({ length: 5_000 }, (_, index) => `child-${index}`);
      const createAll = async (): Promise<void> => {
        for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
          await admin.create(ConfigMap, { metadata: { name, namespace, labels } });
      };
      // Few at a time: other rows use the same server.
      await Promise.all(Array.from({ length: 3 }, createAll));
      world.gear = async (self, ctx) => {
        self.status.seen = String((await ctx.list(ConfigMap, { labels })).length);
      };
      await world.start();
      await world.createGear('large');
      const seen = (count: number): Promise<void> =>
        within(30_000, async () => assertEqual((await world.gears())[0]?.status?.seen, String(count), 'status'));
      await seen(5_000);
      for (let index = 0; index < 50; index++) await admin.delete(ConfigMap, `child-${index}`, { namespace });
      await world.changeGear('large', 'b');
      await seen(4_950);
      await assertQuiet(world);
      const { length } = proxy.writes.filter(({ resource }) => resource === 'gears');
      assert(length <= 4, `${length} writes of the status`);
    },
  },
  ...[-HOUR_MS, HOUR_MS].map((skewMs): Row => ({
    id: `F94-${skewMs < 0 ? 'behind' : 'ahead'}`,
    title: `an operator whose clock is an hour ${skewMs < 0 ? 'behind' : 'ahead'} converges, and requeues after the requested time`,
    async run(world) {
      let runs = 0;
      const { gear } = world;
      world.gear = async (self, ctx) => {
        runs += 1;
        await gear(self, ctx);
        return runs < 3 ? { requeueAfter: 1_000 } : undefined;
      };
      await world.start({ clock: new SkewedClock(skewMs) });
      await world.createGear('one');
      await within(30_000, () => assert(runs >= 3, `${runs} reconciles`));
      await world.changeGear('one', 'b');
      await assertConverged(world);
      assert(runs <= 5, `${runs} reconciles`);
    },
  })),
  {
    id: 'F95',
    title: 'PodBugger attaches its container after a conflict and after a permission that was missing for a while',
    async run(world) {
      const { admin, namespace, proxy } = world;
      await admin.create(ServiceAccount, { metadata: { name: 'default', namespace } });
      const attaching = { verb: 'patch', resource: 'pods', subresource: 'ephemeralcontainers' } as const;
      proxy.inject(attaching, answer(statusReply(409, 'Conflict')), { times: 1 });
      const forbidden = proxy.inject(attaching, answer(statusReply(403, 'Forbidden')), { from: 2, times: 1 });
      await createPod(world, 'web', { app: 'web' });
      const spec = { selector: { matchLabels: { app: 'web' } }, image: 'busybox' };
      await admin.create(PodBugger, { metadata: { name: 'bug', namespace }, spec });
      await world.start({}, [PodBugger]);
      await within(75_000, async () => {
        const { spec: podSpec } = await admin.get(Pod, 'web', { namespace });
        assertEqual(
          podSpec?.ephemeralContainers?.map(({ name }) => name),
          ['podbugger-bug'],
          'containers',
        );
        const { status } = await admin.get(PodBugger, 'bug', { namespace });
        assertEqual(status?.conditions?.[0]?.reason, 'Attached', 'condition');
      });
      assertEqual(forbidden.hits, 1, 'forbidden writes');
      await assertQuiet(world);
    },
  },
];
