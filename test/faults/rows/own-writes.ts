import { setTimeout as delay } from 'node:timers/promises';
import { ConfigMap, Deployment, type Context } from 'kindwright';
import { PodSet } from '../../../operators/podset.js';
import { assert, assertConverged, assertEqual, assertQuiet, within } from '../oracles/converged.js';
import { applyChild, type Gear } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import type { Fault } from '../proxy/fault.js';
import { loseResponse } from '../proxy/faults.js';

const DELAY_MS = 5_000;

/** Delivers each line of a watch five seconds after it arrived. */
const delayLines: Fault = {
  line: async ({ text, arrivedMs }) => {
    await delay(Math.max(0, arrivedMs + DELAY_MS - performance.now()));
    return text;
  },
};

/** Creates and deletes ConfigMaps with generated names until their number is the one of the spec, as a ReplicaSet does. */
async function scale({ metadata, spec, status }: Gear, ctx: Context): Promise<void> {
  const labels = { of: metadata.name };
  const present = await ctx.list(ConfigMap, { labels });
  const wanted = Number(spec.value);
  for (let count = present.length; count < wanted; count++)
    await ctx.create(ConfigMap, { metadata: { generateName: `${metadata.name}-`, labels } });
  for (const surplus of present.slice(wanted)) await ctx.delete(ConfigMap, surplus);
  const names = (await ctx.list(ConfigMap, { labels })).length;
  assertEqual(names, wanted, 'children that the reconcile sees after its own writes');
  status.seen = spec.value;
}

function writesOf({ proxy }: World, resource: string): string[] {
  return proxy.writes.filter((call) => call.resource === resource).map(({ verb }) => verb);
}

const countOf = (verbs: readonly string[], verb: string): number => verbs.filter((each) => each === verb).length;

/** The reconcile is repeated before the watch delivers the event of the write. */
async function scaleWithLostResponse(world: World, verb: 'create' | 'delete', sizes: readonly string[]): Promise<void> {
  world.proxy.inject({ verb: 'watch', resource: 'configmaps' }, delayLines);
  world.gear = scale;
  await world.start();
  const [first = '', ...others] = sizes;
  await world.createGear('scaled', first);
  const isReached = (size: string) => async () => assertEqual((await world.gears())[0]?.status?.seen, size, 'status');
  await within(30_000, isReached(first));
  const lost = world.proxy.inject({ verb, resource: 'configmaps' }, loseResponse, { times: others.length });
  for (const size of others) {
    await world.changeGear('scaled', size);
    await within(30_000, isReached(size));
  }
  assertEqual(lost.hits, others.length, 'lost responses');
  await delay(DELAY_MS);
  await assertQuiet(world);
}

export const OWN_WRITE_ROWS: readonly Row[] = [
  {
    id: 'F51',
    title: 'with watches 5 s behind, an object that is scaled up and down creates and deletes nothing twice',
    async run(world) {
      world.proxy.inject({ verb: 'watch', resource: 'configmaps' }, delayLines);
      world.gear = scale;
      await world.start();
      const sizes = [3, 6, 2, 5, 0, 4, 1];
      await world.createGear('scaled', '0');
      for (const size of sizes) {
        await world.changeGear('scaled', String(size));
        await within(30_000, async () => assertEqual((await world.gears())[0]?.status?.seen, String(size), 'status'));
      }
      await delay(DELAY_MS);
      await assertQuiet(world);
      const verbs = writesOf(world, 'configmaps');
      const [created, deleted] = [countOf(verbs, 'create'), countOf(verbs, 'delete')];
      assertEqual([created, deleted], [3 + 3 + 3 + 4, 4 + 5 + 3], 'creates and deletes');
      const { items } = await world.admin.list(ConfigMap, { namespace: world.namespace });
      assertEqual(items.length, 1, 'children');
      assertEqual(world.record.overlaps(), [], 'reconciles of one key at the same time');
    },
  },
  {
    id: 'F51-deleted',
    title: 'with watches 5 s behind, a child that a reconcile deleted is not deleted again, and is created once',
    async run(world) {
      world.proxy.inject({ verb: 'watch', resource: 'configmaps' }, delayLines);
      world.gear = async (self, ctx) => {
        const child = await ctx.get(ConfigMap, self.metadata.name);
        if (child && child.data?.['value'] !== self.spec.value) await ctx.delete(ConfigMap, child);
        await applyChild(self, ctx);
      };
      await world.start();
      await world.createGear('replaced', 'v-0');
      for (let round = 1; round <= 6; round++) {
        await world.changeGear('replaced', `v-${round}`);
        await within(30_000, async () => assertEqual((await world.gears())[0]?.status?.seen, `v-${round}`, 'status'));
      }
      await assertConverged(world, 30_000);
      const verbs = writesOf(world, 'configmaps');
      assert(countOf(verbs, 'delete') === countOf(verbs, 'apply') - 1, `writes of the child: ${verbs.join(' ')}`);
    },
  },
  {
    id: 'F37-generated',
    title: 'when the response to the creation of a child with a generated name is lost, no second child is created',
    async run(world) {
      await scaleWithLostResponse(world, 'create', ['0', '1', '3', '6']);
      assertEqual(countOf(writesOf(world, 'configmaps'), 'create'), 6, 'creates');
      const { items } = await world.admin.list(ConfigMap, { namespace: world.namespace });
      assertEqual(items.length, 6, 'children');
    },
  },
  {
    id: 'F37-delete',
    title: 'when the response to the deletion of one of several children is lost, no other is deleted in its place',
    async run(world) {
      await scaleWithLostResponse(world, 'delete', ['6', '5', '3', '2']);
      assertEqual(countOf(writesOf(world, 'configmaps'), 'delete'), 4, 'deletes');
      const { items } = await world.admin.list(ConfigMap, { namespace: world.namespace });
      assertEqual(items.length, 2, 'children');
    },
  },
  {
    id: 'F51-podset',
    title: 'with all watches 5 s behind, PodSet writes its Deployment once for each size',
    async run(world) {
      world.proxy.inject({ verb: 'watch' }, delayLines);
      const scope = { namespace: world.namespace };
      const { admin } = world;
      await admin.create(PodSet, { metadata: { name: 'set', ...scope }, spec: { size: 0 } });
      await world.start({}, [PodSet]);
      const sizes = [0, 3, 1, 4];
      for (const size of sizes) {
        await admin.patch(PodSet, 'set', { spec: { size } }, scope);
        await within(30_000, async () =>
          assertEqual((await admin.get(Deployment, 'set', scope)).spec?.replicas, size, 'replicas'),
        );
      }
      await delay(DELAY_MS);
      await assertQuiet(world);
      assertEqual(writesOf(world, 'deployments'), ['apply', 'apply', 'apply', 'apply'], 'writes of the Deployment');
      assertEqual((await admin.list(Deployment, scope)).items.length, 1, 'Deployments');
    },
  },
];
