import { beforeEach, describe, expect, test } from '@jest/globals';
import type { LeaderElector } from '../../../src/manager/election/leader-elector.js';
import { foreign, leaseWorld, unreachable, watch } from '../lease-world.js';

type World = ReturnType<typeof leaseWorld>;
let clock: World['clock'];
let lock: World['lock'];
let logger: World['logger'];
let stop: World['stop'];
let elector: World['elector'];

beforeEach(() => {
  ({ clock, lock, logger, stop, elector } = leaseWorld());
});

describe('acquire', () => {
  test('acquire creates a missing lease', async () => {
    await elector().acquire(stop.signal);
    expect(lock.state?.record).toEqual({
      holder: 'a',
      durationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      transitions: 0,
    });
  });

  test('acquire takes a released lease immediately, and counts the transition', async () => {
    lock.put(foreign({ holder: '', durationSeconds: 1 }));
    await elector().acquire(stop.signal);
    expect(lock.state?.record).toMatchObject({ holder: 'a', transitions: 4 });
  });

  test('acquire waits as long as the holder renews, and takes over 15 s after its last renewal', async () => {
    lock.put(foreign());
    const acquired = watch(elector().acquire(stop.signal));
    await clock.advance(10_000);
    lock.put(foreign({ renewTime: '2026-01-01T00:00:10.000000Z' }));
    await clock.advance(14_000);
    expect(acquired.state()).toBe('waiting');
    await clock.advance(4_000);
    expect(acquired.state()).toBe('resolved');
  });

  test('a candidate measures the lease by its own clock, however wrong the times in the lease are', async () => {
    lock.put(foreign({ renewTime: '1999-01-01T00:00:00.000000Z' }));
    const acquired = watch(elector().acquire(stop.signal));
    await clock.advance(14_000);
    expect(acquired.state()).toBe('waiting');
  });

  test('a lease with invalid fields expires after the lease duration of the candidate', async () => {
    lock.put(foreign({ durationSeconds: -5, acquireTime: '', renewTime: 'yesterday', transitions: 0 }));
    const acquired = watch(elector().acquire(stop.signal));
    await clock.advance(14_000);
    expect(acquired.state()).toBe('waiting');
    await clock.advance(2_000);
    expect(acquired.state()).toBe('resolved');
  });

  test.each([
    ['shorter than', 1, 15_000],
    ['longer than', 60, 60_000],
  ])(
    'a held lease with a duration %s that of the candidate expires after the longer one',
    async (_, durationSeconds, ms) => {
      lock.put(foreign({ durationSeconds }));
      const acquired = watch(elector().acquire(stop.signal));
      await clock.advance(ms - 1);
      expect(acquired.state()).toBe('waiting');
      await clock.advance(1);
      expect(acquired.state()).toBe('resolved');
    },
  );

  test('one of two candidates that create the lease at the same time wins', async () => {
    const candidates = [elector('a'), elector('b')].map((one) => watch(one.acquire(stop.signal)));
    await clock.advance(4_000);
    expect(candidates.map(({ state }) => state()).sort()).toEqual(['resolved', 'waiting']);
  });

  test('acquire retries while the server is unreachable, and logs it once', async () => {
    lock.fault = unreachable;
    const acquired = watch(elector().acquire(stop.signal));
    await clock.advance(60_000);
    lock.fault = () => undefined;
    await clock.advance(2_000);
    expect(acquired.state()).toBe('resolved');
    expect(logger.messages('warn')).toEqual(['Lease could not be acquired or renewed']);
  });

  test('acquire takes over at the moment when the lease expires', async () => {
    lock.put(foreign());
    const acquired = watch(elector().acquire(stop.signal));
    await clock.advance(14_999);
    expect(acquired.state()).toBe('waiting');
    await clock.advance(1);
    expect(acquired.state()).toBe('resolved');
  });

  test('acquire notices a released lease within 1.4 s', async () => {
    lock.put(foreign());
    const acquired = watch(elector('a', { random: () => 1 }).acquire(stop.signal));
    await clock.advance(0);
    lock.put(foreign({ holder: '', durationSeconds: 1 }));
    await clock.advance(1_400);
    expect(acquired.state()).toBe('resolved');
  });

  test('acquire rejects with the reason of an abort and leaves no timer', async () => {
    lock.put(foreign());
    const acquired = watch(elector().acquire(stop.signal));
    await clock.advance(0);
    stop.abort(new Error('stopped'));
    await clock.advance(0);
    expect(acquired.state()).toBe('stopped');
    expect(clock.pending).toBe(0);
  });
});

describe('renew', () => {
  async function leading(): Promise<{ readonly leader: LeaderElector; readonly renewing: ReturnType<typeof watch> }> {
    const leader = elector();
    await leader.acquire(stop.signal);
    lock.calls = [];
    return { leader, renewing: watch(leader.renew(stop.signal)) };
  }

  test('renew writes every 2 s, without reading first', async () => {
    await leading();
    await clock.advance(6_000);
    expect(lock.calls).toEqual(['update', 'update', 'update']);
    expect(lock.state?.record).toMatchObject({
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:06.000000Z',
    });
  });

  test('renew reads the lease when another client has changed it, and keeps it', async () => {
    const { leader, renewing } = await leading();
    lock.put(lock.state!.record);
    await clock.advance(2_000);
    expect(lock.calls).toEqual(['update', 'read', 'update']);
    expect([leader.isLeading, renewing.state()]).toEqual([true, 'waiting']);
  });

  test('renew recreates a deleted lease', async () => {
    const { renewing } = await leading();
    lock.state = undefined;
    await clock.advance(2_000);
    expect(lock.state).toMatchObject({ record: { holder: 'a' } });
    expect(renewing.state()).toBe('waiting');
  });

  test('renew rejects as soon as another candidate holds the lease', async () => {
    const { leader, renewing } = await leading();
    lock.put(foreign());
    await clock.advance(2_000);
    expect(renewing.state()).toBe('leader election lost: it is held by b');
    expect(leader.isLeading).toBe(false);
  });

  test('renew rejects 10 s after the last renewal when the server cannot be reached', async () => {
    const { renewing } = await leading();
    lock.fault = unreachable;
    await clock.advance(9_999);
    expect(renewing.state()).toBe('waiting');
    await clock.advance(1);
    expect(renewing.state()).toMatch(/^leader election lost: not renewed within 10000 ms \(cannot reach the server\)$/);
  });

  test('renew rejects in time also when the server never answers', async () => {
    const { renewing } = await leading();
    lock.fault = (_call, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    await clock.advance(10_000);
    expect(renewing.state()).toMatch(/leader election lost/);
  });

  test('renew continues after an outage that is shorter than the deadline', async () => {
    const { renewing } = await leading();
    lock.fault = unreachable;
    await clock.advance(7_000);
    lock.fault = () => undefined;
    await clock.advance(60_000);
    expect(renewing.state()).toBe('waiting');
  });

  test('renew counts a renewal with a response that arrived before the deadline but was read after it', async () => {
    const { leader } = await leading();
    let respond: () => void = () => undefined;
    lock.fault = (_call, signal) =>
      new Promise((resolve, reject) => {
        respond = resolve;
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    const schedule = clock.schedule.bind(clock);
    clock.schedule = (delayMs, callback) =>
      schedule(delayMs, () => {
        callback();
        respond();
      });
    const { calls } = lock;
    calls.length = 0;
    await clock.advance(2_000 + 5_000);
    expect(calls).toEqual(['update']);
    expect(leader.isLeading).toBe(true);
    expect(logger.messages('warn')).toEqual([]);
  });

  test('isLeading ends by the clock alone, for a process that was blocked', async () => {
    const { leader } = await leading();
    clock.monotonic = () => 10_000;
    expect(leader.isLeading).toBe(false);
  });

  test('isLeading ends when the wall clock shows that the machine slept', async () => {
    const { leader } = await leading();
    const now = clock.now();
    clock.now = () => now + 15_000;
    expect(leader.isLeading).toBe(false);
  });

  test('renew sends nothing after the deadline when the event loop was blocked past it', async () => {
    const { renewing } = await leading();
    clock.monotonic = () => 20_000;
    await clock.advance(2_000);
    expect(renewing.state()).toBe('leader election lost: not renewed within 10000 ms (the process was blocked)');
    expect(lock.calls).toEqual([]);
  });

  test('renew resolves when it is aborted', async () => {
    const { renewing } = await leading();
    await clock.advance(1_000);
    stop.abort(new Error('stopped'));
    await clock.advance(0);
    expect(renewing.state()).toBe('resolved');
    expect(clock.pending).toBe(0);
  });
});

test.each([
  [{ leaseDurationMs: 10_000 }],
  [{ renewDeadlineMs: 2_400 }],
  [{ retryPeriodMs: 0 }],
  [{ leaseDurationMs: Number.NaN }],
])('lease durations that cannot work are refused: %j', (durations) => {
  expect(() => elector('a', durations)).toThrow(/cannot work/);
});
