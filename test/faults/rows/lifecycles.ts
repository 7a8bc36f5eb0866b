import { setTimeout as delay } from 'node:timers/promises';
import { ConfigMap, ConnectionError, Namespace, NotFoundError, Secret } from 'kindwright';
import { assert, assertConverged, assertEqual, assertQuiet, within } from '../oracles/converged.js';
import { Axle, Gear } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import { LOST_CONNECTIONS } from '../harness/settings.js';
import type { World } from '../harness/world.js';
import { answer, Gate, loseResponse, statusReply } from '../proxy/faults.js';

/** Writes of ConfigMaps with this name. */
function writesOf({ proxy }: World, name: string): string[] {
  return proxy.writes.filter((call) => call.resource === 'configmaps' && call.name === name).map(({ verb }) => verb);
}

async function createAxle({ admin, namespace }: World, name: string): Promise<void> {
  await admin.create(Axle, { metadata: { name, namespace }, spec: { value: 'a' } });
}

async function finalizersOf({ admin, namespace }: World, name: string): Promise<readonly string[]> {
  return (await admin.get(Axle, name, { namespace })).metadata.finalizers ?? [];
}

async function assertDeleted({ admin, namespace }: World, name: string, timeoutMs = 30_000): Promise<void> {
  await within(timeoutMs, async () => {
    const found = await admin.get(Axle, name, { namespace }).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      return undefined;
    });
    assert(found === undefined, `${name} exists`);
  });
}

export const LIFECYCLE_ROWS: readonly Row[] = [
  {
    id: 'F76',
    title:
      'an object whose finalizer always fails stays, others are deleted, and it is deleted once the finalizer succeeds',
    async run(world) {
      let isBroken = true;
      world.release = async ({ metadata }) => {
        if (metadata.name === 'stuck' && isBroken) throw new Error('still in use');
      };
      await world.start({}, [Axle]);
      for (const name of ['stuck', 'other']) {
        await createAxle(world, name);
        await within(30_000, async () => assertEqual((await finalizersOf(world, name)).length, 1, 'finalizers'));
        await world.admin.delete(Axle, name, { namespace: world.namespace });
      }
      await assertDeleted(world, 'other');
      await delay(3_000);
      const runs = world.record.countOf('stuck');
      assert(runs <= 14, `${runs} calls in 3 s`);
      assertEqual((await finalizersOf(world, 'stuck')).length, 1, 'finalizers');
      isBroken = false;
      await assertDeleted(world, 'stuck', 30_000);
      await assertQuiet(world);
    },
  },
  {
    id: 'F78',
    title:
      'an object that is deleted before it gets its finalizer, or loses it during the cleanup, ends without a loop',
    async run(world) {
      const { admin, namespace } = world;
      const adding = new Gate();
      const held = world.proxy.inject({ verb: 'patch', resource: 'axles', name: 'early' }, adding.requests, {
        times: 1,
      });
      const cleaning = new Gate();
      let isCleaning = false;
      world.release = async () => {
        isCleaning = true;
        await cleaning.opened;
      };
      await world.start({}, [Axle]);
      await createAxle(world, 'early');
      await within(30_000, () => assertEqual(held.hits, 1, 'held writes'));
      await admin.delete(Axle, 'early', { namespace });
      adding.release();
      await assertDeleted(world, 'early');
      await createAxle(world, 'stripped');
      await within(30_000, async () => assertEqual((await finalizersOf(world, 'stripped')).length, 1, 'finalizers'));
      await admin.delete(Axle, 'stripped', { namespace });
      await within(30_000, () => assert(isCleaning, 'the finalizer was not called'));
      await admin.patch(Axle, 'stripped', { metadata: { finalizers: [] } }, { namespace });
      await assertDeleted(world, 'stripped');
      cleaning.release();
      await delay(1_000);
      await assertQuiet(world);
      assert(world.record.countOf('stripped') <= 3, 'the finalizer was called again and again');
    },
  },
  {
    id: 'F79',
    title: 'in a namespace that is being deleted, children are not created again and again, and finalizers are removed',
    async run(world) {
      const { admin, namespace } = world;
      await world.start();
      await world.start({}, [Axle]);
      await createAxle(world, 'axle');
      await within(30_000, async () => assertEqual((await finalizersOf(world, 'axle')).length, 1, 'finalizers'));
      await world.createGear('late');
      await assertConverged(world);
      await admin.delete(Namespace, namespace);
      await admin.delete(ConfigMap, 'late', { namespace });
      await admin.delete(Axle, 'axle', { namespace });
      await assertDeleted(world, 'axle');
      await delay(5_000);
      const attempts = writesOf(world, 'late').length;
      assert(attempts <= 15, `${attempts} attempts to create the child`);
    },
  },
  {
    id: 'F81',
    title:
      'the child of a deleted owner is not adopted by an owner of the same name, and is created again once it is gone',
    async run(world) {
      const { admin, namespace } = world;
      await world.start();
      await world.createGear('owner');
      await assertConverged(world);
      const before = (await admin.get(ConfigMap, 'owner', { namespace })).metadata;
      const writes = writesOf(world, 'owner').length;
      await admin.delete(Gear, 'owner', { namespace });
      await world.createGear('owner', 'b');
      await delay(3_000);
      const after = (await admin.get(ConfigMap, 'owner', { namespace })).metadata;
      assertEqual([after.uid, after.resourceVersion], [before.uid, before.resourceVersion], 'child');
      assertEqual(writesOf(world, 'owner').length, writes, 'writes of the child');
      await assertConverged(world, 45_000);
    },
  },
  {
    id: 'F83',
    title: 'an existing object of another owner with the name of a child is not changed',
    async run(world) {
      const { admin, namespace } = world;
      const data = { value: 'theirs' };
      await admin.create(ConfigMap, { metadata: { name: 'taken', namespace }, data });
      await world.start();
      await world.createGear('taken');
      await world.createGear('other');
      await within(30_000, () => admin.get(ConfigMap, 'other', { namespace }));
      await delay(3_000);
      const theirs = await admin.get(ConfigMap, 'taken', { namespace });
      assertEqual([theirs.data, theirs.metadata.ownerReferences], [data, undefined], 'object');
      await admin.delete(ConfigMap, 'taken', { namespace });
      await assertConverged(world, 45_000);
    },
  },
  {
    id: 'F87',
    title: 'a child whose owner is deleted while it is created does not survive the garbage collector',
    async run(world) {
      const gate = new Gate();
      const held = world.proxy.inject({ verb: 'apply', name: 'short' }, gate.requests, { times: 1 });
      await world.start();
      await world.createGear('short');
      await within(30_000, () => assertEqual(held.hits, 1, 'held writes'));
      await world.deleteGear('short');
      gate.release();
      await world.createGear('other');
      await assertConverged(world, 30_000);
      assertEqual(writesOf(world, 'short').length, 1, 'writes of the child');
    },
  },
  {
    id: 'F60',
    title: `after ${LOST_CONNECTIONS} lost connections, no more connections are open than before`,
    async run(world) {
      await world.createGear('kept');
      await world.start();
      await assertConverged(world);
      const before = world.proxy.openConnections;
      const { accepted } = world.proxy;
      const lost = world.proxy.inject({ verb: 'get', resource: 'secrets' }, loseResponse);
      for (let round = 0; round < LOST_CONNECTIONS; round++) {
        const read = world.client.get(Secret, 'absent', { namespace: world.namespace, retries: 0 });
        await read.catch((error: unknown) => assert(error instanceof ConnectionError, String(error)));
      }
      assertEqual(lost.hits, LOST_CONNECTIONS, 'lost connections');
      assert(world.proxy.accepted - accepted >= LOST_CONNECTIONS - 1, 'connections were not closed');
      for (let round = 0; round < 30; round++) {
        await within(30_000, () => assertEqual(world.proxy.watches().length, 2, 'watches'));
        world.proxy.cut();
      }
      await world.changeGear('kept', 'b');
      await assertConverged(world, 45_000);
      await within(30_000, () => {
        const after = world.proxy.openConnections;
        assert(after <= before + 2, `${after} connections are open, ${before} before`);
      });
    },
  },
  {
    id: 'F85',
    title: 'a child that was changed or deleted by hand is corrected, and the fields of others stay',
    async run(world) {
      const { admin, namespace } = world;
      await world.start();
      await world.createGear('owner');
      await assertConverged(world);
      const patch = { data: { value: 'wrong', theirs: 'kept' } };
      await admin.patch(ConfigMap, 'owner', patch, { namespace });
      await assertConverged(world);
      const { data } = await admin.get(ConfigMap, 'owner', { namespace });
      assertEqual(data?.['theirs'], 'kept', 'field of another manager');
      await admin.delete(ConfigMap, 'owner', { namespace });
      await assertConverged(world);
    },
  },
  {
    id: 'F77',
    title: 'a finalizer whose removal fails with 409, 500 and a lost response is removed, and others stay',
    async run(world) {
      const { admin, namespace } = world;
      let released = 0;
      world.release = async () => {
        released += 1;
      };
      await world.start({}, [Axle]);
      const theirs = 'example.com/theirs';
      await admin.create(Axle, { metadata: { name: 'held', namespace, finalizers: [theirs] }, spec: { value: 'a' } });
      const finalizers = async (): Promise<readonly string[]> =>
        (await admin.get(Axle, 'held', { namespace })).metadata.finalizers ?? [];
      await within(30_000, async () => assertEqual((await finalizers()).length, 2, 'finalizers'));
      const removals = { verb: 'patch', resource: 'axles', name: 'held' } as const;
      world.proxy.inject(removals, answer(statusReply(409, 'Conflict')), { times: 1 });
      world.proxy.inject(removals, answer(statusReply(500, 'InternalError')), { from: 2, times: 1 });
      const last = world.proxy.inject(removals, loseResponse, { from: 3, times: 1 });
      await admin.delete(Axle, 'held', { namespace });
      await within(45_000, async () => assertEqual(await finalizers(), [theirs], 'finalizers'));
      await within(30_000, () => assertEqual(last.hits, 1, 'lost responses'));
      assert(released >= 1, 'the finalizer did not run');
      await admin.patch(Axle, 'held', { metadata: { finalizers: [] } }, { namespace });
    },
  },
];
