import { expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { KeyQueue } from '../../../src/apiserver/controllers/controller.js';
import { silentLogger } from '../../../src/base/logger.js';

test('a key that fails waits twice as long each time, until it succeeds', async () => {
  const clock = new FakeClock();
  const tries: number[] = [];
  let fails = true;
  const queue = new KeyQueue('test', clock, silentLogger, () => {
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
