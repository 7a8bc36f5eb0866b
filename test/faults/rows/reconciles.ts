import { setTimeout as delay } from 'node:timers/promises';
import { ConfigMap, type Context, type Result } from 'kindwright';
import { assert, assertConverged, assertEqual, within } from '../oracles/converged.js';
import { applyChild, Gear } from '../harness/gear.js';
import type { Row } from '../harness/row.js';
import type { World } from '../harness/world.js';
import { errorLine, Gate, GONE_MESSAGE } from '../proxy/faults.js';

/** What user code may throw; each is thrown twice. */
const THROWN: readonly unknown[] = [
  'a string',
  undefined,
  null,
  42,
  Object.freeze(new Error('frozen')),
  new Error('x'.repeat(1_000_000)),
  Object.assign(new Error('outer'), { details: [new Error('inner')] }),
  { toString: () => ({}) },
  Symbol('symbol'),
];

/** Results that are not valid delays, or exceed the longest timer. */
const DELAYS: readonly number[] = [Number.NaN, -1, 2 ** 31, Infinity, 2 ** 53];

async function changeAll(world: World, names: readonly string[], value: string): Promise<void> {
  for (const name of names) await world.changeGear(name, value);
}

const namesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `g-${index}`);

/** Calls a function for the gears whose value is `bad`, and applies the child of the others. */
function forBad(act: (self: Gear, ctx: Context) => Promise<Result | void>) {
  return async (self: Gear, ctx: Context): Promise<Result | void> =>
    self.spec.value === 'bad' ? act(self, ctx) : applyChild(self, ctx);
}

export const RECONCILE_ROWS: readonly Row[] = [
  {
    id: 'F66',
    title: 'a reconcile that throws is retried with a growing delay, and succeeds later',
    async run(world) {
      world.gear = forBad(async () => {
        throw new Error('broken');
      });
      await world.start();
      await world.createGear('broken', 'bad');
      await world.createGear('other');
      await within(30_000, () => world.admin.get(ConfigMap, 'other', { namespace: world.namespace }));
      await delay(5_000);
      const runs = world.record.countOf('broken');
      assert(runs >= 5 && runs <= 14, `${runs} reconciles in 5 s`);
      await world.changeGear('broken', 'good');
      await assertConverged(world, 30_000);
    },
  },
  {
    id: 'F67',
    title: 'any thrown value fails only its own reconcile',
    async run(world) {
      let index = 0;
      world.gear = forBad(async () => {
        const thrown = THROWN[Math.floor(index++ / 2)];
        if (index <= THROWN.length * 2) throw thrown;
      });
      await world.start();
      await world.createGear('odd', 'bad');
      await world.createGear('other');
      for (let round = 0; round < THROWN.length * 2; round++) {
        const annotations = { round: String(round) };
        await world.admin.patch(Gear, 'odd', { metadata: { annotations } }, { namespace: world.namespace });
        await delay(50);
      }
      await within(60_000, () => assert(index > THROWN.length * 2, `${index} reconciles`));
      await world.changeGear('odd', 'good');
      await assertConverged(world, 30_000);
    },
  },
  {
    id: 'F69',
    title: 'requeueAfter that is not a number, negative, infinite or longer than any timer causes no loop',
    async run(world) {
      world.gear = async (self, ctx) => {
        await applyChild(self, ctx);
        return { requeueAfter: DELAYS[Number(self.metadata.name.slice(2))] ?? 0 };
      };
      await world.start();
      const names = namesOf(DELAYS.length);
      for (const name of names) await world.createGear(name);
      await delay(5_000);
      for (const name of names) {
        const runs = world.record.countOf(name);
        assert(runs <= 14, `${name} with ${String(DELAYS[Number(name.slice(2))])}: ${runs} reconciles in 5 s`);
      }
      world.gear = applyChild;
      await changeAll(world, names, 'b');
      await assertConverged(world, 30_000);
    },
  },
  {
    id: 'F70',
    title: 'a reconcile that always requests another one immediately is slowed down',
    async run(world) {
      world.gear = async (self, ctx) => {
        await applyChild(self, ctx);
        return { requeueAfter: 1 };
      };
      await world.start();
      await world.createGear('eager');
      await world.createGear('other');
      await delay(8_000);
      const before = world.record.countOf('eager');
      await delay(2_000);
      const runs = world.record.countOf('eager') - before;
      assert(runs <= 400, `${runs} reconciles in 2 s`);
      world.gear = applyChild;
      await world.changeGear('eager', 'b');
      await assertConverged(world, 40_000);
    },
  },
  {
    id: 'F71',
    title: 'an object that always fails does not delay 100 others',
    async run(world) {
      world.gear = forBad(async () => {
        throw new Error('poison');
      });
      const names = namesOf(100);
      await world.createGear('poison', 'bad');
      for (const name of names) await world.createGear(name);
      await world.start();
      await within(30_000, async () => {
        const done = (await world.gears()).filter((gear) => 'status' in gear);
        assertEqual(done.length, names.length, 'reconciled objects');
      });
      const runs = world.record.countOf('poison');
      assert(runs <= 20, `${runs} reconciles of the failing object`);
      await world.changeGear('poison', 'good');
      await assertConverged(world, 30_000);
    },
  },
  {
    id: 'F72',
    title: '200 changes of an object while it is reconciled lead to exactly one more reconcile',
    async run(world) {
      const gate = new Gate();
      let isHeld = false;
      world.gear = async (self, ctx) => {
        if (self.spec.value === 'first') {
          isHeld = true;
          await gate.opened;
        }
        await applyChild(self, ctx);
      };
      await world.start();
      await world.createGear('busy', 'first');
      await within(30_000, () => assert(isHeld, 'not reconciled'));
      const runs = world.record.countOf('busy');
      for (let index = 0; index < 200; index++) await world.changeGear('busy', `v-${index}`);
      // The last event has arrived when the cache shows it.
      await within(30_000, () => {
        const [first] = world.managers;
        const [cached] = first?.informers.lister(Gear).list({ namespace: world.namespace }) ?? [];
        assertEqual(cached?.spec.value, 'v-199', 'cached value');
      });
      gate.release();
      await within(30_000, async () => assertEqual((await world.gears())[0]?.status?.seen, 'v-199', 'status'));
      await assertConverged(world);
      // One for the changes; the status and the child of the held reconcile may cause one each.
      const more = world.record.countOf('busy') - runs;
      assert(more >= 1 && more <= 3, `${more} more reconciles`);
    },
  },
  {
    id: 'F73',
    title: 'a status write of the operator does not start another reconcile',
    async run(world) {
      let count = 0;
      world.gear = async (self) => {
        self.status.seen = `${self.spec.value}-${++count}`;
      };
      await world.start();
      await world.createGear('writer');
      await within(30_000, async () => assertEqual((await world.gears())[0]?.status?.seen, 'a-1', 'status'));
      await delay(2_000);
      assertEqual(world.record.countOf('writer'), 1, 'reconciles');
      world.gear = applyChild;
      await world.changeGear('writer', 'b');
      await assertConverged(world);
    },
  },
  {
    id: 'F31',
    title: 'a new list while 200 objects are queued or reconciled loses no object, and reconciles none twice at a time',
    async run(world) {
      world.gear = async (self, ctx) => {
        await delay(20);
        await applyChild(self, ctx);
      };
      const names = namesOf(200);
      for (const name of names) await world.createGear(name);
      await world.start();
      for (let round = 0; round < 3; round++) {
        await delay(300);
        for (const watch of world.proxy.watches()) {
          watch.insert(errorLine(410, 'Expired', GONE_MESSAGE));
          watch.end();
        }
        for (const name of names.slice(round * 10, round * 10 + 10)) await world.changeGear(name, `v-${round}`);
      }
      await assertConverged(world, 60_000);
    },
  },
  {
    id: 'F88',
    title: '1,000 changes of 20 objects are merged, and the last state of each is reached',
    async run(world) {
      const names = namesOf(20);
      for (const name of names) await world.createGear(name);
      await world.start();
      await assertConverged(world);
      const before = world.record.runs.length;
      for (let round = 0; round < 50; round++)
        await Promise.all(names.map((name) => world.changeGear(name, `v-${round}`)));
      await assertConverged(world, 30_000);
      const runs = world.record.runs.length - before;
      assert(runs <= 2_500, `${runs} reconciles`);
    },
  },
];
