import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FakeClock } from '../../src/base/fake-clock.js';
import { DelayingQueue } from '../../src/queue/delaying-queue.js';

/** Passes each key on as soon as it is ready, and is done with it. */
function takeWhenReady(queue: DelayingQueue, receive: (key: string) => void): void {
  queue.onReady(() => {
    for (let key = queue.take(); key !== undefined; key = queue.take()) {
      receive(key);
      queue.done(key);
    }
  });
}

function setup() {
  const clock = new FakeClock();
  const ready: string[] = [];
  const queue = new DelayingQueue(clock);
  takeWhenReady(queue, (key) => ready.push(key));
  return { clock, ready, queue };
}

describe('DelayingQueue', () => {
  test('a delayed key is added when its time has come, not before', async () => {
    const { clock, ready, queue } = setup();
    queue.addAfter('a', 50);
    await clock.advance(49);
    expect(ready).toEqual([]);
    await clock.advance(1);
    expect(ready).toEqual(['a']);
    expect(queue.waiting).toBe(0);
  });

  test('a key without a delay is added immediately', () => {
    const { queue } = setup();
    queue.addAfter('a', 0);
    queue.addAfter('b', -1);
    expect([queue.take(), queue.take()]).toEqual(['a', 'b']);
  });

  test('a delay of NaN is rejected', () => {
    const { queue } = setup();
    expect(() => {
      queue.addAfter('a', Number.NaN);
    }).toThrow(RangeError);
  });

  test.each([
    ['first', [10, 50]],
    ['last', [50, 10]],
  ])('the earlier of two times of a key is used when it comes %s', async (_, delays) => {
    const { clock, ready, queue } = setup();
    for (const delay of delays) queue.addAfter('a', delay);
    await clock.advance(10);
    expect(ready).toEqual(['a']);
    await clock.advance(100);
    expect(ready).toEqual(['a']);
  });

  test('a key whose time is changed a thousand times has one entry', async () => {
    const { clock, ready, queue } = setup();
    for (let minutes = 1000; minutes > 0; minutes--) {
      queue.addAfter('a', minutes * 60_000);
      queue.addAfter('b', 3_600_000);
    }
    expect(queue.waiting).toBe(2);
    await clock.advance(60_000);
    expect(ready).toEqual(['a']);
    expect(queue.waiting).toBe(1);
  });

  test('a key that waits for hours is added immediately when its back-off is shorter, again and again', async () => {
    const { clock, ready, queue } = setup();
    for (let cycle = 0; cycle < 100; cycle++) {
      queue.addAfter('a', 3_600_000);
      queue.addAfter('a', 5);
      await clock.advance(5);
      expect(queue.waiting).toBe(0);
    }
    expect(ready).toHaveLength(100);
  });

  test('keys are added in the order of their times with one timer', async () => {
    const { clock, ready, queue } = setup();
    queue.addAfter('c', 30);
    queue.addAfter('a', 10);
    queue.addAfter('b', 20);
    expect(clock.pending).toBe(1);
    await clock.advance(30);
    expect(ready).toEqual(['a', 'b', 'c']);
    expect(clock.pending).toBe(0);
  });

  test('a delay may be longer than the maximum of a timer', async () => {
    const { clock, ready, queue } = setup();
    queue.addAfter('a', 2 ** 31);
    await clock.advance(2 ** 31 - 1);
    expect(ready).toEqual([]);
    await clock.advance(1);
    expect(ready).toEqual(['a']);
  });

  test('shutDown drops delayed keys, and none are accepted after it', async () => {
    const { clock, ready, queue } = setup();
    queue.addAfter('a', 10);
    queue.shutDown();
    queue.addAfter('b', 10);
    expect(clock.pending).toBe(0);
    await clock.advance(100);
    expect(ready).toEqual([]);
  });

  test('each key is added at the earliest of its times for any order of calls', async () => {
    const calls = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 1, max: 20 })));
    await fc.assert(
      fc.asyncProperty(calls, async (delays) => {
        const clock = new FakeClock();
        const seen: Record<string, number[]> = {};
        const queue = new DelayingQueue(clock);
        takeWhenReady(queue, (key) => (seen[key] ??= []).push(clock.monotonic()));
        const expected: Record<string, number[]> = {};
        for (const [key, delay] of delays) {
          queue.addAfter(key, delay);
          expected[key] = [Math.min(delay, expected[key]?.[0] ?? Infinity)];
        }
        await clock.advance(20);
        expect(seen).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});
