import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { RateLimitingQueue } from '../../src/queue/rate-limiting-queue.js';
import type { WorkqueueProbe } from '../../src/queue/workqueue-metrics.js';

function setup() {
  const clock = new FakeClock();
  const calls: unknown[][] = [];
  let probe: WorkqueueProbe | undefined;
  const metrics = {
    registered: (queue: string, registered: WorkqueueProbe) => {
      calls.push(['registered', queue]);
      probe = registered;
    },
    added: (queue: string) => calls.push(['added', queue]),
    taken: (queue: string, seconds: number) => calls.push(['taken', queue, seconds]),
    done: (queue: string, seconds: number) => calls.push(['done', queue, seconds]),
    retried: (queue: string) => calls.push(['retried', queue]),
  };
  const queue = new RateLimitingQueue({ name: 'podset', clock, metrics });
  return { clock, calls, queue, probe: probe as unknown as WorkqueueProbe };
}

describe('RateLimitingQueue', () => {
  test('a failing key is delayed by 5 ms, 10 ms, 20 ms, and by 5 ms again once forgotten', async () => {
    const { clock, queue } = setup();
    for (const delay of [5, 10, 20]) {
      queue.addRateLimited('a');
      await clock.advance(delay - 1);
      expect(queue.take()).toBeUndefined();
      await clock.advance(1);
      expect(queue.take()).toBe('a');
      queue.done('a');
    }
    expect(queue.numRequeues('a')).toBe(3);
    queue.forget('a');
    queue.addRateLimited('a');
    await clock.advance(5);
    expect(queue.take()).toBe('a');
  });

  test('a key is never delayed by more than 1000 s', async () => {
    const { clock, queue } = setup();
    for (let i = 0; i < 40; i++) queue.addRateLimited(`warm-up`);
    await clock.advance(1_000_000);
    queue.take();
    queue.done('warm-up');
    queue.addRateLimited('warm-up');
    await clock.advance(1_000_000);
    expect(queue.take()).toBe('warm-up');
  });

  test('a key is taken again only after the time given to doneAfter, once for all adds in the meantime', async () => {
    const { clock, queue, calls, probe } = setup();
    queue.add('a');
    queue.take();
    queue.doneAfter('a', 1000);
    expect(calls.at(-1)).toEqual(['done', 'podset', 0]);
    queue.add('a', { cause: { type: 'timer', delayMs: 1 } });
    queue.addAfter('a', 10, { cause: { type: 'timer', delayMs: 10 } });
    await clock.advance(999);
    expect(queue.take()).toBeUndefined();
    expect(probe.depth).toBe(1);
    await clock.advance(1);
    expect(queue.take()).toBe('a');
    expect(queue.causesOf('a').kept).toHaveLength(2);
    queue.done('a');
    expect(queue.take()).toBeUndefined();
    expect(calls.filter(([name]) => name === 'done')).toHaveLength(2);
  });

  test('no timer of a delayed key is left after shutDown', () => {
    const { clock, queue } = setup();
    queue.add('a');
    queue.take();
    queue.doneAfter('a', 1000);
    queue.shutDown();
    expect(clock.pending).toBe(0);
  });

  test('a key that became due while it is processed is added when it is done', async () => {
    const { clock, queue } = setup();
    queue.add('a');
    queue.take();
    queue.addAfter('a', 10);
    await clock.advance(10);
    expect(queue.take()).toBeUndefined();
    queue.done('a');
    expect(queue.take()).toBe('a');
  });

  test('shutDown drops ready and delayed keys', async () => {
    const { clock, queue } = setup();
    queue.add('a');
    queue.addAfter('b', 10);
    queue.shutDown();
    await clock.advance(10);
    expect(queue.isShuttingDown).toBe(true);
    expect([queue.length, queue.take(), clock.pending]).toEqual([0, undefined, 0]);
  });

  test('the wait of a key is measured from its first add, and its processing too', async () => {
    const { clock, calls, queue } = setup();
    queue.add('a');
    await clock.advance(1500);
    queue.add('a');
    await clock.advance(500);
    queue.take();
    await clock.advance(250);
    queue.done('a');
    expect(calls).toEqual([
      ['registered', 'podset'],
      ['added', 'podset'],
      ['taken', 'podset', 2],
      ['done', 'podset', 0.25],
    ]);
  });

  test('adds with a delay are counted as retries', () => {
    const { calls, queue } = setup();
    queue.addRateLimited('a');
    queue.addAfter('b', 1000);
    expect(calls.slice(1)).toEqual([
      ['retried', 'podset'],
      ['retried', 'podset'],
    ]);
  });

  test('metrics show depth, unfinished work and the longest running key at the current time', async () => {
    const { clock, queue, probe } = setup();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    queue.take();
    await clock.advance(1000);
    queue.take();
    await clock.advance(2000);
    expect(probe.depth).toBe(1);
    expect(probe.unfinishedWorkSeconds()).toBe(5);
    expect(probe.longestRunningSeconds()).toBe(3);
  });

  test('metrics show how long the oldest waiting key has waited', async () => {
    const { clock, queue, probe } = setup();
    expect(probe.oldestWaitingSeconds()).toBe(0);
    for (const key of ['a', 'b', 'c']) {
      queue.add(key);
      await clock.advance(1000);
    }
    queue.take();
    queue.add('a');
    expect(probe.oldestWaitingSeconds()).toBe(2);
    queue.take();
    queue.take();
    await clock.advance(1000);
    expect(probe.oldestWaitingSeconds()).toBe(1);
  });
});
