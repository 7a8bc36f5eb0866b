import { expect, test } from '@jest/globals';
import type { Cause } from '../../src/api/reconcile/reconcile-observer.js';
import { FakeClock } from '../../src/base/fake-clock.js';
import { RateLimitingQueue } from '../../src/queue/rate-limiting-queue.js';
import { Workqueue } from '../../src/queue/workqueue.js';

const because = (delayMs: number): { readonly cause: Cause } => ({ cause: { type: 'timer', delayMs } });
const delays = (queue: Pick<Workqueue, 'causesOf'>, key = 'a') =>
  queue.causesOf(key).kept.map((kept) => ('delayMs' in kept ? kept.delayMs : undefined));

test('a key is taken with the causes of all its adds, in their order', () => {
  const queue = new Workqueue();
  for (const delay of [1, 2, 3]) queue.add('a', because(delay));
  queue.take();
  expect(delays(queue)).toEqual([1, 2, 3]);
});

test('causes added while a key is in work belong to its next run', () => {
  const queue = new Workqueue();
  queue.add('a', because(1));
  queue.take();
  queue.add('a', because(2));
  expect(delays(queue)).toEqual([1]);
  queue.done('a');
  queue.take();
  expect(delays(queue)).toEqual([2]);
});

test('a cause added twice in a row, as by the old and the new state of an update, is kept once', () => {
  const queue = new Workqueue();
  const update = because(1);
  queue.add('a', update);
  queue.add('a', update);
  queue.take();
  expect(queue.causesOf('a')).toEqual({ kept: [update.cause], omitted: 0 });
});

test('eight causes of a key are kept, further ones are counted', () => {
  const queue = new Workqueue();
  for (let delay = 1; delay <= 20; delay++) queue.add('a', because(delay));
  queue.take();
  expect(delays(queue)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(queue.causesOf('a').omitted).toBe(12);
});

test('a queue of many keys keeps the first cause of each and a bounded number of further ones', () => {
  const queue = new Workqueue();
  const keys = Array.from({ length: 2000 }, (_, index) => `key-${String(index)}`);
  for (let round = 0; round < 5; round++) for (const key of keys) queue.add(key, because(round));
  let kept = 0;
  let omitted = 0;
  for (let key = queue.take(); key !== undefined; key = queue.take()) {
    kept += queue.causesOf(key).kept.length;
    omitted += queue.causesOf(key).omitted;
    queue.done(key);
  }
  expect({ kept, omitted }).toEqual({ kept: 3000, omitted: 7000 });
  for (const delay of [1, 2, 3]) queue.add('a', because(delay));
  queue.take();
  expect(delays(queue)).toEqual([1, 2, 3]);
});

test('a delayed key is added with its cause when its time has come', async () => {
  const clock = new FakeClock();
  const queue = new RateLimitingQueue({ name: 'podset', clock });
  queue.addAfter('a', 30, because(30));
  await clock.advance(30);
  queue.take();
  expect(delays(queue)).toEqual([30]);
});

test('the cause of a retry has the back-off and the number of the attempt', async () => {
  const clock = new FakeClock();
  const queue = new RateLimitingQueue({ name: 'podset', clock });
  for (const expected of [
    { delayMs: 5, attempt: 2 },
    { delayMs: 10, attempt: 3 },
  ]) {
    expect(queue.addRateLimited('a', { reason: 'error' })).toBe(expected.delayMs);
    await clock.advance(expected.delayMs);
    queue.take();
    expect(queue.causesOf('a').kept).toEqual([{ type: 'retry', reason: 'error', ...expected }]);
    queue.done('a');
  }
});
