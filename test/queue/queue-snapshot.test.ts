import { expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { RateLimitingQueue } from '../../src/queue/rate-limiting-queue.js';

const initial = { type: 'initial', source: 'Pod' } as const;

function setup() {
  const clock = new FakeClock();
  return { clock, queue: new RateLimitingQueue({ name: 'podset', clock, isMeasured: true }) };
}

test('a snapshot has the waiting keys and the keys in work with ages and causes, the oldest first', async () => {
  const { clock, queue } = setup();
  queue.add('a', { cause: initial });
  await clock.advance(1000);
  queue.add('b');
  queue.take();
  await clock.advance(500);
  queue.add('a', { cause: { type: 'trigger', source: '@Every' } });
  const { waiting, processing, delayed } = queue.snapshot(10);
  expect(waiting).toEqual({
    count: 2,
    oldest: [
      { key: 'b', ageMs: 500, causes: { kept: [], omitted: 0 } },
      { key: 'a', ageMs: 0, causes: { kept: [{ type: 'trigger', source: '@Every' }], omitted: 0 } },
    ],
  });
  expect(processing).toEqual({
    count: 1,
    oldest: [{ key: 'a', ageMs: 500, causes: { kept: [initial], omitted: 0 } }],
  });
  expect(delayed).toEqual({ count: 0, oldest: [] });
});

test('a snapshot has the delayed keys with their due times, and keys that are held after their work', async () => {
  const { clock, queue } = setup();
  queue.addAfter('late', 60_000, { cause: { type: 'timer', delayMs: 60_000 } });
  await clock.advance(1000);
  queue.add('hot');
  queue.take();
  queue.doneAfter('hot', 4000);
  queue.add('hot', { cause: initial });
  await clock.advance(1000);
  const delayMs = queue.addRateLimited('failed', { reason: 'error', minDelayMs: 200 });
  const { waiting, processing, delayed } = queue.snapshot(10);
  expect(delayed.count).toBe(3);
  expect(delayed.oldest.map(({ key, ageMs, dueInMs, isHeld }) => [key, ageMs, dueInMs, isHeld])).toEqual([
    ['late', 2000, 58_000, false],
    ['hot', 1000, 3000, true],
    ['failed', 0, delayMs, false],
  ]);
  expect(delayed.oldest.map(({ causes }) => causes.kept.map(({ type }) => type))).toEqual([
    ['timer'],
    ['initial'],
    ['retry'],
  ]);
  expect(processing.count).toBe(0);
  expect(waiting.oldest.map(({ key }) => key)).toEqual(['hot']);
});

test('a snapshot lists at most the given number of keys of each state, and counts all', async () => {
  const { clock, queue } = setup();
  for (const key of ['a', 'b', 'c', 'd']) {
    queue.add(key);
    queue.addAfter(`later-${key}`, 1000);
    await clock.advance(1);
  }
  queue.take();
  const { waiting, processing, delayed } = queue.snapshot(2);
  expect(waiting).toMatchObject({ count: 3, oldest: [{ key: 'b' }, { key: 'c' }] });
  expect(processing).toMatchObject({ count: 1, oldest: [{ key: 'a' }] });
  expect(delayed).toMatchObject({ count: 4, oldest: [{ key: 'later-a' }, { key: 'later-b' }] });
});
