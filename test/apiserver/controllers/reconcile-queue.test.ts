import { expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { WritePending } from '../../../src/apiserver/admission/pending-write.js';
import { ReconcileQueue } from '../../../src/apiserver/controllers/reconcile-queue.js';
import { silentLogger } from '../../../src/base/logger.js';

test('the delay of a failed key doubles each time, until it succeeds', async () => {
  const clock = new FakeClock();
  const tries: number[] = [];
  let fails = true;
  const queue = new ReconcileQueue('test', clock, silentLogger, () => {
    tries.push(clock.monotonic());
    if (fails) throw new Error('not yet');
  });
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await nextTurn();
  };
  queue.add('a');
  await pass(0);
  for (const wait of [5, 10, 20]) await pass(wait);
  fails = false;
  await pass(40);
  fails = true;
  queue.add('a');
  await pass(0);
  await pass(5);
  const start = tries[0]!;
  expect(tries.map((time) => time - start)).toEqual([0, 5, 15, 35, 75, 75, 80]);
});

test('a key whose write waits is reconciled again when the write has completed, once for all adds meanwhile', async () => {
  const clock = new FakeClock();
  let complete = (): void => undefined;
  const write = new Promise<void>((resolve) => (complete = resolve));
  let runs = 0;
  const queue = new ReconcileQueue('test', clock, silentLogger, () => {
    runs += 1;
    if (runs === 1) throw new WritePending(write);
  });
  queue.add('a');
  await nextTurn();
  for (let i = 0; i < 3; i++) queue.add('a');
  await nextTurn();
  expect(runs).toBe(1);
  complete();
  await nextTurn();
  await nextTurn();
  expect(runs).toBe(2);
});

test('keys that are added during a reconcile are processed in the next turn of the event loop', async () => {
  const seen: string[] = [];
  const queue = new ReconcileQueue('test', new FakeClock(), silentLogger, (key) => {
    seen.push(key);
    if (key === 'a') queue.add('c');
  });
  queue.add('a');
  queue.add('b');
  await nextTurn();
  expect(seen).toEqual(['a', 'b']);
  await nextTurn();
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('a queue that is shut down reconciles nothing more', async () => {
  const seen: string[] = [];
  const queue = new ReconcileQueue('test', new FakeClock(), silentLogger, (key) => seen.push(key));
  queue.add('a');
  queue.addAfter('b', 1);
  queue.shutDown();
  await nextTurn();
  expect(seen).toEqual([]);
});
