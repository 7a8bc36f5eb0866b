import { beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { silentLogger } from '../../src/base/logger.js';
import { Workers } from '../../src/controller/workers.js';
import { RateLimitingQueue } from '../../src/queue/rate-limiting-queue.js';

let queue: RateLimitingQueue;
let workers: Workers;
let reconciled: string[];

beforeEach(async () => {
  const clock = new FakeClock();
  queue = new RateLimitingQueue({ name: 'test', clock });
  reconciled = [];
  workers = new Workers({
    queue,
    clock,
    logger: silentLogger,
    maxConcurrentReconciles: 2,
    reconcile: ({ key }) => {
      reconciled.push(key);
      return Promise.resolve({ type: 'done' });
    },
  });
  workers.start();
  await turn();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
async function add(...keys: string[]): Promise<string[]> {
  for (const key of keys) queue.add(key);
  await turn();
  return reconciled;
}

describe('a paused controller', () => {
  test('begins no reconcile until it is resumed, and loses no key', async () => {
    workers.stepping.pause();
    expect(await add('a', 'b')).toEqual([]);
    expect(workers.stepping.isPaused).toBe(true);
    workers.stepping.resume();
    await turn();
    expect(reconciled).toEqual(['a', 'b']);
    expect(await add('c')).toEqual(['a', 'b', 'c']);
  });

  test('begins one reconcile with each step', async () => {
    workers.stepping.pause();
    await add('a', 'b', 'c');
    workers.stepping.step();
    await turn();
    expect(reconciled).toEqual(['a']);
    workers.stepping.step();
    await turn();
    expect(reconciled).toEqual(['a', 'b']);
    expect(workers.stepping.isPaused).toBe(true);
  });

  test('begins the next key that arrives after a step without one', async () => {
    workers.stepping.pause();
    workers.stepping.step();
    expect(await add('a', 'b')).toEqual(['a']);
  });

  test('stops when it is asked to', async () => {
    workers.stepping.pause();
    await add('a');
    await workers.stop();
    expect(reconciled).toEqual([]);
  });

  test('ignores a step while it is not paused', async () => {
    workers.stepping.step();
    expect(await add('a', 'b', 'c')).toEqual(['a', 'b', 'c']);
    expect(workers.stepping.isPaused).toBe(false);
  });
});
