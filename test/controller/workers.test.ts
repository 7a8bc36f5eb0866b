import { beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import type { ControllerMetrics } from '../../src/controller/controller-metrics.js';
import type { Outcome } from '../../src/controller/run/outcome.js';
import type { ReconcileRequest } from '../../src/controller/run/reconcile-request.js';
import type { WorkersOptions } from '../../src/controller/workers-options.js';
import { Workers } from '../../src/controller/workers.js';
import { RateLimitingQueue } from '../../src/queue/rate-limiting-queue.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

const DONE: Outcome = { type: 'done' };
const FAILED: Outcome = { type: 'failed', error: new Error('no luck') };

let clock: FakeClock;
let queue: RateLimitingQueue;
let logger: RecordingLogger;
/** The reconciles begun, and what ends each. */
let begun: { readonly request: ReconcileRequest; readonly end: (outcome: Outcome) => void }[];

beforeEach(() => {
  clock = new FakeClock();
  queue = new RateLimitingQueue({ name: 'podset', clock });
  logger = new RecordingLogger();
  begun = [];
});

function start(options: Partial<WorkersOptions> = {}): Workers {
  const reconcile = (request: ReconcileRequest) =>
    new Promise<Outcome>((resolve) => {
      begun.push({ request, end: resolve });
    });
  const workers = new Workers({ queue, clock, logger, reconcile, maxConcurrentReconciles: 1, ...options });
  workers.start();
  return workers;
}

/** Reconciles that end immediately with one outcome; returns the keys as they come. */
function startEnding(outcome: Outcome, options: Partial<WorkersOptions> = {}): string[] {
  const keys: string[] = [];
  const reconcile = async ({ key }: ReconcileRequest) => {
    keys.push(key);
    return outcome;
  };
  start({ reconcile, ...options });
  return keys;
}

const keys = () => begun.map(({ request }) => request.key);
const settle = () => clock.advance(0);

describe('maxAttempts', () => {
  test('a key is given up after this number of failures in a row, with a line in the log, and a later add starts with the first attempt', async () => {
    queue.add('a');
    const seen = startEnding(FAILED, { maxAttempts: 3 });
    await clock.advance(600_000);
    expect(seen).toEqual(['a', 'a', 'a']);
    expect(logger.messages().filter((message) => message === 'Given up until the object changes')).toHaveLength(1);
    queue.add('a');
    await clock.advance(600_000);
    expect(seen).toHaveLength(6);
  });
});

describe('rateLimit', () => {
  test('all keys together run as often as the total allows, and the others wait in the queue, where adds are merged', async () => {
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    const seen = startEnding(DONE, { rateLimit: { total: 2, withinMs: 2000 } });
    await settle();
    expect(seen).toEqual(['a', 'b']);
    queue.add('c');
    await clock.advance(999);
    expect(seen).toEqual(['a', 'b']);
    await clock.advance(1001);
    expect(seen).toEqual(['a', 'b', 'c', 'd']);
    await clock.advance(60_000);
    expect(seen).toHaveLength(4);
  });

  test('a key that has reached its own limit waits, and others do not', async () => {
    const seen = startEnding(DONE, { rateLimit: { perObject: 1, withinMs: 1000 } });
    queue.add('a');
    await settle();
    queue.add('a');
    queue.add('b');
    await clock.advance(900);
    expect(seen).toEqual(['a', 'b']);
    await clock.advance(100);
    expect(seen).toEqual(['a', 'b', 'a']);
  });

  test('another limit applies to later reconciles, and none ends the wait', async () => {
    for (const key of ['a', 'b', 'c']) queue.add(key);
    const workers = start({ rateLimit: { total: 1, withinMs: 60_000 }, maxConcurrentReconciles: 9 });
    await settle();
    expect(keys()).toEqual(['a']);
    workers.configure({ maxConcurrentReconciles: 9 });
    expect(keys()).toEqual(['a', 'b', 'c']);
    await clock.advance(60_000);
    expect(keys()).toHaveLength(3);
  });
});

describe('priority', () => {
  test('a run that a result requests has the priority of the result, and otherwise that of the run', async () => {
    const priorities: string[] = [];
    const results: Outcome[] = [
      { type: 'requeueAfter', delayMs: 1, priority: 'high' },
      { type: 'requeueAfter', delayMs: 1 },
      DONE,
    ];
    const reconcile = async ({ key }: ReconcileRequest) => {
      priorities.push(queue.priorityOf(key));
      return results.shift() ?? DONE;
    };
    queue.add('a');
    start({ reconcile });
    await clock.advance(10);
    expect(priorities).toEqual(['normal', 'high', 'high']);
  });
});

describe('Workers', () => {
  test('workers reconcile keys that were added before the start and later ones', async () => {
    queue.add('a');
    const seen = startEnding(DONE);
    await settle();
    queue.add('b');
    await settle();
    expect(seen).toEqual(['a', 'b']);
  });

  test('workers run no more than maxConcurrentReconciles at a time', async () => {
    for (const key of ['a', 'b', 'c']) queue.add(key);
    start({ maxConcurrentReconciles: 2 });
    expect(keys()).toEqual(['a', 'b']);
    begun[0]!.end(DONE);
    await settle();
    expect(keys()).toEqual(['a', 'b', 'c']);
  });

  test('a key added a thousand times while it is processed runs once more afterwards', async () => {
    queue.add('a');
    start({ maxConcurrentReconciles: 5 });
    for (let i = 0; i < 1000; i++) queue.add('a');
    expect(keys()).toEqual(['a']);
    begun[0]!.end(DONE);
    await settle();
    begun[1]!.end(DONE);
    await settle();
    expect(keys()).toEqual(['a', 'a']);
  });

  test('a failed key is retried with growing delays, and from the first one after a success', async () => {
    queue.add('a');
    start();
    for (const delay of [5, 10, 20]) {
      begun.at(-1)!.end(FAILED);
      const before = begun.length;
      await clock.advance(delay - 1);
      expect(begun.length).toBe(before);
      await clock.advance(1);
      expect(begun.length).toBe(before + 1);
    }
    begun.at(-1)!.end(DONE);
    await settle();
    expect(queue.numRequeues('a')).toBe(0);
  });

  test('a failure is logged with key, error and reconcile id', async () => {
    queue.add('team/a');
    startEnding(FAILED);
    await settle();
    expect(logger.lines).toMatchObject([{ level: 'error', message: 'Reconciler error' }]);
    expect(logger.lines[0]!.fields).toMatchObject({ namespace: 'team', name: 'a', err: { message: 'no luck' } });
    expect(logger.lines[0]!.fields.reconcileID).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a terminal failure is logged and not retried', async () => {
    queue.add('a');
    const seen = startEnding({ type: 'terminal', error: new Error('bad spec') });
    await clock.advance(10_000_000);
    expect(seen).toEqual(['a']);
    expect(logger.messages('error')).toEqual(['Reconciler error']);
  });

  test('a requeued key is reconciled when its time has come', async () => {
    queue.add('a');
    const seen = startEnding({ type: 'requeueAfter', delayMs: 60_000 });
    await clock.advance(59_999);
    expect(seen).toEqual(['a']);
    await clock.advance(1);
    expect(seen).toEqual(['a', 'a']);
  });

  test('a key that always requests a requeue immediately is limited to the rate of the rate limiter', async () => {
    queue.add('a');
    const seen = startEnding({ type: 'requeue', reason: 'requested', why: 'requeueAfter is 0' });
    await clock.advance(10_000);
    expect(seen.length).toBeLessThan(15);
    expect(logger.messages('error')).toEqual([]);
  });

  test('a key that always fails does not delay the others', async () => {
    const seen: string[] = [];
    const reconcile = async ({ key }: ReconcileRequest) => {
      seen.push(key);
      return key === 'poison' ? FAILED : DONE;
    };
    for (const key of ['poison', 'a', 'b', 'c']) queue.add(key);
    start({ reconcile });
    await settle();
    expect(seen).toEqual(['poison', 'a', 'b', 'c']);
  });

  describe('with a time-out', () => {
    test('a reconcile that exceeds its time-out is aborted, and another key uses its slot', async () => {
      queue.add('a');
      queue.add('b');
      start({ reconcileTimeoutMs: 1000 });
      const { signal } = begun[0]!.request;
      await clock.advance(1000);
      expect(signal.reason).toMatchObject({ code: 'E_RECONCILE_TIMEOUT' });
      expect(keys()).toEqual(['a', 'b']);
      expect(logger.messages('error')).toEqual([
        'Reconcile timed out and was aborted; the object is not reconciled again before it returns',
      ]);
    });

    test('the time-out of a reconcile is reported by a request that is not aborted', async () => {
      queue.add('a');
      const timedOut: unknown[] = [];
      start({
        reconcileTimeoutMs: 1000,
        onTimeout: ({ key, isAborted }, error) => timedOut.push([key, isAborted, error.message]),
      });
      await clock.advance(1000);
      expect(timedOut).toEqual([['a', false, 'reconcile did not finish within 1000 ms']]);
    });

    test('a key that timed out is not started again before it has settled, and then with back-off', async () => {
      queue.add('a');
      start({ reconcileTimeoutMs: 1000, maxConcurrentReconciles: 3 });
      await clock.advance(1000);
      queue.add('a');
      await clock.advance(1000);
      expect(keys()).toEqual(['a']);
      begun[0]!.end(DONE);
      await settle();
      expect(keys()).toEqual(['a', 'a']);
    });

    test('the late result of a reconcile that timed out is ignored', async () => {
      queue.add('a');
      start({ reconcileTimeoutMs: 1000 });
      await clock.advance(1000);
      begun[0]!.end({ type: 'requeueAfter', delayMs: 1 });
      await settle();
      expect(queue.numRequeues('a')).toBe(1);
    });

    test('the slot of a reconcile that timed out is released once', async () => {
      for (const key of ['a', 'b', 'c']) queue.add(key);
      start({ reconcileTimeoutMs: 1000 });
      await clock.advance(1000);
      begun[0]!.end(DONE);
      await settle();
      expect(keys()).toEqual(['a', 'b']);
    });

    test('a reconcile that ends in time leaves no timer behind', async () => {
      queue.add('a');
      startEnding(DONE, { reconcileTimeoutMs: 1000 });
      await settle();
      expect(clock.pending).toBe(0);
    });
  });

  describe('when stopped', () => {
    test('stopped workers take no more keys, and are done when running reconciles have ended', async () => {
      queue.add('a');
      queue.add('b');
      const workers = start();
      let isStopped = false;
      const stopped = workers.stop().then(() => (isStopped = true));
      await settle();
      expect(isStopped).toBe(false);
      begun[0]!.end(DONE);
      await stopped;
      expect(keys()).toEqual(['a']);
      expect(workers.runningKeys).toEqual([]);
    });

    test('stopped workers are done immediately when nothing runs', async () => {
      await start().stop();
      expect(begun).toEqual([]);
    });

    test('stopped workers cannot be started again', async () => {
      const workers = start();
      await workers.stop();
      workers.start();
      queue.add('a');
      await settle();
      expect(begun).toEqual([]);
    });

    test('stopped workers abort running reconciles with the given reason', () => {
      queue.add('a');
      const workers = start();
      workers.abort(new Error('shutting down'));
      expect(begun[0]!.request.signal.reason).toEqual(new Error('shutting down'));
    });

    test.each([true, false])('a stop leaves no timer of an aborted reconcile; aborted before it: %s', (isBefore) => {
      queue.add('a');
      const workers = start({ reconcileTimeoutMs: 1000 });
      if (isBefore) workers.abort(new Error('lost'));
      expect(clock.pending).toBe(1);
      void workers.stop();
      if (!isBefore) workers.abort(new Error('shutting down'));
      expect(clock.pending).toBe(0);
    });
  });

  test('workers do not block the event loop while thousands of keys wait', async () => {
    const slow = new FakeClock();
    let now = 0;
    slow.monotonic = () => (now += 1); // each look at the clock takes a millisecond
    const seen: string[] = [];
    for (let i = 0; i < 100; i++) queue.add(String(i));
    const reconcile = async ({ key }: ReconcileRequest) => {
      seen.push(key);
      return DONE;
    };
    start({ clock: slow, reconcile });
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.length).toBeLessThan(30);
    while (seen.length < 100) await new Promise((resolve) => setImmediate(resolve));
  });

  test('workers are idle while no key is ready', async () => {
    startEnding(DONE);
    queue.add('a');
    await settle();
    let looks = 0;
    clock.monotonic = () => (looks += 1);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toBe(0);
  });

  test('workers count results, failures and slots in use', async () => {
    const calls: unknown[][] = [];
    const metrics: ControllerMetrics = {
      paused: () => undefined,
      hotLoop: () => undefined,
      finding: () => undefined,
      activeWorkers: (...call) => calls.push(['active', ...call]),
      reconciled: (...call) => calls.push(['reconciled', ...call]),
      failed: (...call) => calls.push(['failed', ...call]),
    };
    queue.add('a');
    startEnding({ type: 'failed', error: new TypeError('undefined is not a function') }, { metrics });
    await settle();
    expect(calls).toEqual([
      ['active', 1],
      ['failed', 'error'],
      ['failed', 'panic'],
      ['active', -1],
      ['reconciled', 'error', 0],
    ]);
  });
});
