import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { editLines, Gate } from '../proxy/faults.js';
import { listsOf } from './missed-events.js';

async function restart({ cluster }: World, signal: NodeJS.Signals): Promise<void> {
  await cluster.controlPlane.stopPart('apiserver', signal);
  await cluster.controlPlane.startPart('apiserver');
}

/** Stops server and storage, changes the folder of the storage, and starts both. */
async function whileStopped({ cluster: { controlPlane } }: World, act: (folder: string) => Promise<void>) {
  await controlPlane.stopPart('apiserver', 'SIGKILL');
  await controlPlane.stopPart('etcd', 'SIGTERM');
  await act(join(controlPlane.dir, 'etcd'));
  await controlPlane.startPart('etcd');
  await controlPlane.startPart('apiserver');
}

/** Time to find out that the cache is in the lost future, by an audit if the server has outrun it. */
const RESTORED_MS = 180_000;

export const RESTART_ROWS: readonly Row[] = [
  {
    id: 'F47',
    title: 'a restart of the API server costs at most one new list for each kind and loses nothing',
    async run(world) {
      await world.createGear('changed');
      await world.createGear('deleted');
      await world.start();
      await assertConverged(world);
      await restart(world, 'SIGTERM');
      await world.changeGear('changed', 'b');
      await world.deleteGear('deleted');
      await world.createGear('created');
      await assertConverged(world, 60_000);
      for (const kind of ['gears', 'configmaps'])
        assert(listsOf(world, kind) <= 3, `${listsOf(world, kind)} lists of ${kind}`);
    },
  },
  {
    id: 'F47-list',
    title: 'an API server that is killed during the first lists is listed again, and every object is reconciled',
    async run(world) {
      for (let index = 0; index < 30; index++) await world.createGear(`g-${index}`);
      let lines = 0;
      world.proxy.inject(
        { verb: 'watch', resource: 'gears' },
        editLines(({ text }) => (++lines, { send: [text] })),
      );
      const slow = world.proxy.inject({ verb: 'watch', resource: 'configmaps' }, new Gate().requests, { times: 1 });
      world.launch();
      await within(30_000, () => assert(lines >= 30 && slow.hits === 1, 'no list'));
      assertEqual(world.record.runs.length, 0, 'reconciles before all lists');
      await restart(world, 'SIGKILL');
      world.proxy.cut();
      await assertConverged(world, 90_000);
    },
  },
  {
    id: 'F52',
    title: 'an API server that is killed four times in the middle of changes loses nothing',
    async run(world) {
      const names = ['a', 'b', 'c', 'd'];
      for (const name of names) await world.createGear(name);
      await world.start();
      await assertConverged(world);
      for (const [round, name] of names.entries()) {
        for (const each of names) await world.changeGear(each, `v-${round}`);
        await restart(world, 'SIGKILL');
        await world.deleteGear(name);
        await world.createGear(name, `again-${round}`);
      }
      await assertConverged(world, 90_000);
    },
  },
  {
    id: 'F49',
    title: 'after a restore of an older state of etcd, caches and children follow the server',
    async run(world) {
      await world.createGear('changed');
      await world.createGear('returns');
      await world.start();
      await assertConverged(world);
      const copy = join(world.cluster.controlPlane.dir, 'etcd-copy');
      await whileStopped(world, (folder) => cp(folder, copy, { recursive: true }));
      await assertConverged(world, 60_000);
      // What the restore takes back was no missed event, but an audit may find it before the reflector does.
      world.missesEvents = true;
      await world.createGear('lost');
      await world.changeGear('changed', 'b');
      await world.deleteGear('returns');
      await assertConverged(world, 60_000);
      await whileStopped(world, async (folder) => {
        await rm(folder, { recursive: true });
        await cp(copy, folder, { recursive: true });
      });
      await delay(1_000);
      await world.createGear('new');
      await assertConverged(world, RESTORED_MS);
    },
  },
];
