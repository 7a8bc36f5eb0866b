import { ConfigMap } from 'kindwright';
import { assert, assertCachesEqualLists, assertConverged, assertEqual, within } from '../oracles/converged.js';
import type { Row } from '../harness/row.js';
import { answer, editLines, errorLine, GONE_MESSAGE, statusReply } from '../proxy/faults.js';
import { listsOf } from './missed-events.js';

const isStreamedList = ({ query }: { query: URLSearchParams }): boolean => query.has('sendInitialEvents');

/** One page holds 500 objects. */
const OBJECTS = 520;

export const LIST_ROWS: readonly Row[] = [
  {
    id: 'F16',
    title: 'when the second page of a list has expired, the cache never holds one page only',
    async run(world) {
      const { admin, namespace, proxy } = world;
      const names = Array.from({ length: OBJECTS }, (_, index) => `c-${index}`);
      for (let start = 0; start < OBJECTS; start += 20)
        await Promise.all(
          names.slice(start, start + 20).map((name) => admin.create(ConfigMap, { metadata: { name, namespace } })),
        );
      const refused = answer(statusReply(400, 'BadRequest', { message: 'sendInitialEvents is forbidden' }));
      proxy.inject({ verb: 'watch', resource: 'configmaps', where: isStreamedList }, refused);
      const expired = proxy.inject(
        { verb: 'list', resource: 'configmaps', where: ({ query }) => query.has('continue') },
        answer(statusReply(410, 'Expired', { message: 'The provided continue parameter is too old' })),
        { times: 1 },
      );
      const { informers } = world.launch();
      await within(30_000, () => assertEqual(expired.hits, 1, 'expired pages'));
      await within(45_000, () => {
        const count = informers.lister(ConfigMap).list({ namespace }).length;
        assert(count === 0 || count === OBJECTS, `the cache holds ${count} of ${OBJECTS} objects`);
        assertEqual(count, OBJECTS, 'cached objects');
      });
      await assertCachesEqualLists(world);
    },
  },
  {
    id: 'F26',
    title: 'a streamed list that ends before its end bookmark is not used, and is read in pages instead',
    async run(world) {
      let reconciledEarly = 0;
      const died = world.proxy.inject(
        { verb: 'watch', resource: 'gears', where: isStreamedList },
        editLines(({ text }) => {
          if (!text.includes('initial-events-end')) return text;
          reconciledEarly = world.record.runs.length;
          return { send: [], then: 'end' };
        }),
      );
      for (const name of ['a', 'b', 'c']) await world.createGear(name);
      world.launch();
      await assertConverged(world, 45_000);
      assertEqual(reconciledEarly, 0, 'reconciles before the list was complete');
      assert(died.hits <= 3, `${died.hits} streamed lists`);
      assert(listsOf(world, 'gears') <= 4, `${listsOf(world, 'gears')} lists`);
    },
  },
  {
    id: 'F26-unmarked',
    title: 'a bookmark whose annotation is not true does not end a streamed list',
    async run(world) {
      let early = -1;
      world.proxy.inject(
        { verb: 'watch', resource: 'gears', where: isStreamedList },
        editLines(({ text, call }) => {
          if (!text.includes('initial-events-end') || early >= 0) return text;
          early = call.receivedMs;
          return { send: [text.replace('"k8s.io/initial-events-end":"true"', '"k8s.io/initial-events-end":"no"')] };
        }),
      );
      for (const name of ['a', 'b', 'c']) await world.createGear(name);
      world.launch();
      await within(30_000, () => assert(early >= 0, 'no end bookmark'));
      assertEqual(world.record.runs.length, 0, 'reconciles before the list was complete');
      for (const watch of world.proxy.watches('gears')) watch.reset();
      await assertConverged(world, 45_000);
    },
  },
  {
    id: 'F48',
    title: 'watches that expire again and again under load lose nothing',
    async run(world) {
      const names = Array.from({ length: 10 }, (_, index) => `g-${index}`);
      for (const name of names) await world.createGear(name);
      await world.start();
      await assertConverged(world);
      for (let round = 0; round < 6; round++) {
        await Promise.all(names.map((name) => world.changeGear(name, `v-${round}`)));
        for (const watch of world.proxy.watches()) {
          watch.insert(errorLine(410, 'Expired', GONE_MESSAGE));
          watch.end();
        }
        await world.deleteGear(`g-${round}`);
        await world.createGear(`g-${round}`, `again-${round}`);
      }
      await assertConverged(world, 60_000);
    },
  },
];
