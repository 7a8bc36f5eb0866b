import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { answer, errorLine, Gate, GONE_MESSAGE, statusReply } from '../proxy/faults.js';
import { isWrite } from '../proxy/proxied-call.js';
import { isResumed, LineSwitch, listsOf } from './missed-events.js';

const KINDS = ['gears', 'configmaps'];

async function startWithThree(world: World): Promise<LineSwitch> {
  const lines = new LineSwitch(world);
  for (const name of ['changed', 'deleted', 'replaced']) await world.createGear(name);
  await world.start();
  await assertConverged(world);
  return lines;
}

/** Deletes, replaces, changes and creates gears while the watches deliver nothing. */
async function changeUnseen(world: World, lines: LineSwitch): Promise<void> {
  lines.isDropping = true;
  await world.deleteGear('deleted');
  await world.deleteGear('replaced');
  await world.createGear('replaced', 'successor');
  await world.changeGear('changed', 'b');
  await world.createGear('created', 'c');
}

/** Reads of a gear from the server. */
function readsOf({ proxy }: World, name: string): number {
  return proxy.calls.filter((call) => call.verb === 'get' && call.resource === 'gears' && call.name === name).length;
}

/** Both predecessors were reported as deleted, once each. */
function assertDeletions({ record }: World, count: number): void {
  assertEqual(record.deleted.length, count, 'reported deletions');
  assertEqual(new Set(record.deleted).size, count, 'distinct reported deletions');
}

export const RELIST_ROWS: readonly Row[] = [
  {
    id: 'F14',
    title: 'after a 410 event in a watch, the cache and the reported deletions match a new list',
    async run(world) {
      const lines = await startWithThree(world);
      await changeUnseen(world, lines);
      for (const watch of world.proxy.watches()) {
        watch.insert(errorLine(410, 'Expired', GONE_MESSAGE));
        watch.end();
      }
      lines.isDropping = false;
      await assertConverged(world);
      assertDeletions(world, 2);
    },
  },
  ...KINDS.map((first): Row => ({
    id: `F14-${first}`,
    title: `after 410 on both kinds no child is created for a deleted owner when ${first} are listed first`,
    async run(world) {
      const lines = await startWithThree(world);
      const before = world.proxy.calls.length;
      lines.isDropping = true;
      await world.deleteGear('deleted');
      const second = new Gate();
      const isList = ({ query }: { query: URLSearchParams }): boolean => query.has('sendInitialEvents');
      const [other = ''] = KINDS.filter((kind) => kind !== first);
      world.proxy.inject({ verb: 'watch', resource: other, where: isList }, second.requests, { times: 1 });
      lines.isDropping = false;
      for (const watch of world.proxy.watches()) {
        watch.insert(errorLine(410, 'Expired', GONE_MESSAGE));
        watch.end();
      }
      const relisted = (): boolean => listsOf(world, first) > 1;
      await within(30_000, () => assert(relisted(), `no new list of ${first}`));
      // The deleted child wakes its owner, which the cache still shows.
      if (first === 'configmaps')
        await within(30_000, () =>
          assert(readsOf(world, 'deleted') > 0, 'the owner was not read before the child was created'),
        );
      second.release();
      await assertConverged(world);
      assertDeletions(world, 1);
      const writes = world.proxy.calls.slice(before).filter((call) => call.resource === 'configmaps' && isWrite(call));
      assertEqual(
        writes.map(({ name }) => name),
        [],
        'writes of children',
      );
    },
  })),
  {
    id: 'F15',
    title: '410 as the status of a watch causes one new list per kind',
    async run(world) {
      const lines = await startWithThree(world);
      const lists = KINDS.map((kind) => listsOf(world, kind));
      await changeUnseen(world, lines);
      const gone = answer(statusReply(410, 'Expired', { message: GONE_MESSAGE }));
      for (const resource of KINDS)
        world.proxy.inject({ verb: 'watch', resource, where: isResumed }, gone, { times: 1 });
      for (const watch of world.proxy.watches()) watch.reset();
      lines.isDropping = false;
      await assertConverged(world);
      assertDeletions(world, 2);
      assertEqual(
        KINDS.map((kind, index) => listsOf(world, kind) - (lists[index] ?? 0)),
        [1, 1],
        'new lists',
      );
    },
  },
  {
    id: 'F17',
    title: 'a watch that is rejected because its resource version is too large starts from a new list',
    async run(world) {
      const lines = await startWithThree(world);
      await changeUnseen(world, lines);
      const details = { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] };
      const tooLarge = answer(statusReply(504, 'Timeout', { message: 'Too large resource version: 9', details }));
      for (const resource of KINDS)
        world.proxy.inject({ verb: 'watch', resource, where: isResumed }, tooLarge, { times: 1 });
      for (const watch of world.proxy.watches()) watch.reset();
      lines.isDropping = false;
      await assertConverged(world);
      assertDeletions(world, 2);
    },
  },
  {
    id: 'F18',
    title: 'an error 500 in the watch resumes it at the same version; StoreReadError starts from a new list',
    async run(world) {
      const lines = await startWithThree(world);
      const lists = listsOf(world, 'gears');
      for (const watch of world.proxy.watches('gears')) {
        watch.insert(errorLine(500, 'InternalError', 'etcdserver: no leader'));
        watch.end();
      }
      await world.changeGear('changed', 'b');
      await assertConverged(world);
      assertEqual(listsOf(world, 'gears'), lists, 'lists after one error 500');
      await changeUnseen(world, lines);
      for (const watch of world.proxy.watches('gears')) {
        watch.insert(errorLine(500, 'StoreReadError', 'corrupt object'));
        watch.end();
      }
      lines.isDropping = false;
      for (const watch of world.proxy.watches('configmaps')) watch.reset();
      await within(30_000, () => assert(listsOf(world, 'gears') > lists, 'no new list after StoreReadError'));
      await assertConverged(world);
    },
  },
  {
    id: 'F28',
    title: 'an object that was replaced while the watch was down is deleted with its old uid, then added',
    async run(world) {
      const lines = await startWithThree(world);
      const old = (await world.gears()).find(({ metadata }) => metadata.name === 'replaced')?.metadata.uid ?? '';
      lines.isDropping = true;
      await world.deleteGear('replaced');
      await world.createGear('replaced', 'successor');
      for (const watch of world.proxy.watches()) watch.reset();
      world.proxy.inject({ verb: 'watch', where: isResumed }, answer(statusReply(410, 'Expired')), { times: 2 });
      lines.isDropping = false;
      await assertConverged(world);
      assertEqual(world.record.deleted, [old], 'reported deletions');
    },
  },
  {
    id: 'F29',
    title: 'a deletion that was missed while disconnected is reported once',
    async run(world) {
      await startWithThree(world);
      await world.proxy.refuse();
      await world.deleteGear('deleted');
      world.proxy.inject({ verb: 'watch', where: isResumed }, answer(statusReply(410, 'Expired')), { times: 2 });
      await world.proxy.listen();
      await assertConverged(world);
      assertDeletions(world, 1);
    },
  },
];
