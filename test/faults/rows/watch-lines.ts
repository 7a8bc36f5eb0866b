import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { editLines } from '../proxy/faults.js';
import type { LineReplacement, WatchLine } from '../proxy/fault.js';
import { listsOf, resumedWatchesOf } from './missed-events.js';

type Edit = (line: WatchLine) => LineReplacement | string;

/** Edits all lines of the watches of gears with a function that the row may replace. */
class GearLines {
  edit: Edit = ({ text }) => text;

  constructor(world: World) {
    world.proxy.inject(
      { verb: 'watch', resource: 'gears' },
      editLines((line) => this.edit(line)),
    );
  }
}

const isChange = (text: string): boolean => /^\{"type":"(ADDED|MODIFIED|DELETED)"/.test(text);

async function startWith(world: World, ...names: string[]): Promise<GearLines> {
  const lines = new GearLines(world);
  for (const name of names) await world.createGear(name);
  await world.start();
  await assertConverged(world);
  return lines;
}

const CUTS = 3;

const NOT_OF_THE_KIND = [
  '{"type":"RENAMED","object":{"metadata":{"name":"a","resourceVersion":"1"}}}',
  '{"type":"MODIFIED","object":{}}',
  '{"type":"MODIFIED","object":null}',
  '{"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1"},"rows":[]}}',
  '{"type":"ADDED","object":{"kind":"Secret","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"1"}}}',
];

export const WATCH_LINE_ROWS: readonly Row[] = [
  {
    id: 'F13',
    title: 'an event that is cut off in the middle is not applied, and is delivered again',
    async run(world) {
      const lines = await startWith(world, 'cut');
      for (let cut = 1; cut <= CUTS; cut++) {
        let isCut = false;
        lines.edit = ({ text }) => {
          if (isCut || !isChange(text)) return text;
          isCut = true;
          const bytes = Buffer.from(text);
          return { send: [bytes.subarray(0, Math.ceil((bytes.length * cut) / (CUTS + 1)))], then: 'reset' };
        };
        await world.changeGear('cut', `value-${cut}`);
        await within(30_000, () => assert(isCut, 'no event to cut off'));
        await assertConverged(world, 35_000);
      }
    },
  },
  {
    id: 'F20',
    title: 'without bookmarks everything else works',
    async run(world) {
      const lines = new GearLines(world);
      lines.edit = ({ text }) =>
        text.startsWith('{"type":"BOOKMARK"') && !text.includes('initial-events-end') ? { send: [] } : text;
      await world.createGear('first');
      await world.start();
      await world.createGear('second');
      await assertConverged(world);
      for (const watch of world.proxy.watches()) watch.reset();
      await world.changeGear('first', 'b');
      await assertConverged(world);
    },
  },
  {
    id: 'F21',
    title: 'unknown event types and objects of other kinds are not delivered, and later events are',
    async run(world) {
      await startWith(world, 'kept');
      for (const [index, line] of NOT_OF_THE_KIND.entries()) {
        await within(35_000, () => assert(world.proxy.watches('gears').length === 1, 'no watch of gears'));
        for (const watch of world.proxy.watches('gears')) watch.insert(line);
        await world.changeGear('kept', `value-${index}`);
        await assertConverged(world, 35_000);
      }
    },
  },
  {
    id: 'F22',
    title: 'no event is lost when single lines are corrupt',
    async run(world) {
      const lines = await startWith(world, 'g-0');
      let [count, corrupted] = [0, 0];
      lines.edit = ({ text }) => {
        if (!isChange(text)) return text;
        count += 1;
        if (count % 50 !== 0 || corrupted >= 4) return text;
        corrupted += 1;
        return text.replaceAll(':', ';');
      };
      for (let index = 1; index <= 100; index++) await world.createGear(`g-${index}`);
      await assertConverged(world, 45_000);
      assert(corrupted > 1, `only ${corrupted} lines were corrupted`);
      assertEqual(listsOf(world, 'gears'), 1, 'lists');
    },
  },
  {
    id: 'F23',
    title: 'events arrive whole and in order when bytes come one by one, with CRLF and blank lines',
    async run(world) {
      const lines = await startWith(world, 'split');
      lines.edit = ({ text }) => {
        const bytes = Buffer.from(`${text}\r\n\r\n\n`);
        return { send: Array.from(bytes, (byte) => Buffer.from([byte])) };
      };
      for (const value of ['ä€😀', 'two\nlines', 'ascii']) {
        await world.changeGear('split', value);
        await assertConverged(world);
      }
      assertEqual(resumedWatchesOf(world, 'gears'), 0, 'new watches');
    },
  },
  {
    id: 'F24',
    title: 'events of 1.3 MB are accepted; an endless line is an error, and the watch continues',
    async run(world) {
      world.gear = async (self) => {
        self.status.seen = String(self.spec.value.length);
      };
      const { manager } = await world.start();
      const size = 1_300_000;
      await world.createGear('large', 'x'.repeat(size));
      await within(30_000, async () => assertEqual((await world.gears())[0]?.status?.seen, String(size), 'status'));
      const [watch] = world.proxy.watches('gears');
      const chunk = 'y'.repeat(1 << 20);
      for (let written = 0; written < 300 && world.proxy.watches('gears').includes(watch!); written++)
        await watch!.insertRaw(chunk);
      await manager.logged(/cannot list and watch gears.*contains (a line that is not an event|an event of more than)/);
      await world.changeGear('large', 'small');
      await within(35_000, async () => assertEqual((await world.gears())[0]?.status?.seen, '5', 'status'));
    },
  },
  {
    id: 'F25',
    title: 'a stream that sends single bytes without a complete event counts as dead within 55 s',
    async run(world) {
      const lines = await startWith(world, 'dripped');
      let isHanging = false;
      lines.edit = () => {
        isHanging = true;
        return { send: [], then: 'hang' };
      };
      await world.changeGear('dripped', 'b');
      const [watch] = world.proxy.watches('gears');
      const drip = setInterval(() => void watch?.insertRaw(' '), 1000);
      world.onEnd(() => clearInterval(drip));
      await within(30_000, () => assert(isHanging, 'no event to hold back'));
      lines.edit = ({ text }) => text;
      try {
        await assertConverged(world, 55_000);
      } finally {
        clearInterval(drip);
      }
    },
  },
  {
    id: 'F27',
    title: 'repeated events do not change the cache, and cause no reconciles',
    async run(world) {
      const lines = await startWith(world, 'kept', 'gone');
      const seen: string[] = [];
      lines.edit = ({ text }) => {
        seen.push(text);
        return text;
      };
      for (const value of ['b', 'c', 'd']) {
        await world.changeGear('kept', value);
        await assertConverged(world);
      }
      await world.deleteGear('gone');
      await assertConverged(world);
      const before = world.record.runs.length;
      assert(seen.length >= 4, 'too few events to replay');
      const [watch] = world.proxy.watches('gears');
      for (const line of [...seen, ...seen]) watch!.insert(line);
      await assertConverged(world);
      assertEqual(world.record.runs.length, before, 'reconciles');
    },
  },
  {
    id: 'F55',
    title: 'if no overwritten state is seen, the end state is the same',
    async run(world) {
      const lines = await startWith(world, 'overwritten');
      let held: string | undefined;
      let late = 0;
      // An event is delivered only when the next one has arrived: intermediate states come late, and every second never.
      lines.edit = ({ text, index }) => {
        if (!isChange(text)) return text;
        const previous = held;
        held = index % 2 === 0 ? text : undefined;
        if (held !== undefined) late += 1;
        return { send: held === undefined ? [text] : previous === undefined ? [] : [previous] };
      };
      for (let round = 0; round < 10; round++) await world.changeGear('overwritten', `v-${round}`);
      lines.edit = ({ text }) => text;
      await world.changeGear('overwritten', 'last');
      await assertConverged(world);
      assert(late > 0, 'no event was held back');
    },
  },
];
