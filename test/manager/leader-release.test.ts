import { beforeEach, describe, expect, test } from '@jest/globals';
import { foreign, leaseWorld, unreachable, watch } from './lease-world.js';

type World = ReturnType<typeof leaseWorld>;
let clock: World['clock'];
let lock: World['lock'];
let logger: World['logger'];
let stop: World['stop'];
let elector: World['elector'];

beforeEach(() => {
  ({ clock, lock, logger, stop, elector } = leaseWorld());
});

describe('release', () => {
  test('release empties the lease, so that the next candidate need not wait', async () => {
    const leader = elector();
    await leader.acquire(stop.signal);
    await leader.release();
    expect(lock.state?.record).toMatchObject({ holder: '', durationSeconds: 1 });
    expect(leader.isLeading).toBe(false);
    await elector('b').acquire(stop.signal);
    expect(lock.state?.record.holder).toBe('b');
  });

  test('release is repeated after a conflict', async () => {
    const leader = elector();
    await leader.acquire(stop.signal);
    lock.put(lock.state!.record);
    await leader.release();
    expect(lock.state?.record.holder).toBe('');
  });

  test('release does not change the lease of another holder', async () => {
    const leader = elector();
    await leader.acquire(stop.signal);
    lock.put(foreign());
    await leader.release();
    expect(lock.state?.record.holder).toBe('b');
  });

  test('release resolves without an error when the server cannot be reached', async () => {
    const leader = elector();
    await leader.acquire(stop.signal);
    lock.fault = unreachable;
    await leader.release();
    expect(logger.messages('warn')).toEqual(['Lease could not be released']);
  });

  test.each(['create', 'update'])('release empties a lease with a %s in flight at the abort', async (verb) => {
    if (verb === 'update') lock.put(foreign({ holder: '' }));
    let respond: () => void = () => undefined;
    lock.fault = async (call) => {
      if (call === verb) await new Promise<void>((resolve) => (respond = resolve));
    };
    const one = elector();
    const acquired = watch(one.acquire(stop.signal));
    await clock.advance(0);
    stop.abort(new Error('stopped'));
    await clock.advance(0);
    expect(acquired.state()).toBe('stopped');
    lock.fault = () => undefined;
    const released = watch(one.release());
    await clock.advance(0);
    expect(released.state()).toBe('waiting');
    respond();
    await clock.advance(0);
    expect(released.state()).toBe('resolved');
    expect(lock.state?.record).toMatchObject({ holder: '', durationSeconds: 1 });
    expect(one.isLeading).toBe(false);
  });

  test('release empties a lease that was stored although the response was lost', async () => {
    const one = elector();
    lock.lost = (call) => call === 'create';
    const acquired = watch(one.acquire(stop.signal));
    await clock.advance(0);
    expect(acquired.state()).toBe('waiting');
    expect(lock.state?.record.holder).toBe('a');
    stop.abort(new Error('stopped'));
    await one.release();
    expect(lock.state?.record.holder).toBe('');
  });

  test('release sends nothing for a candidate that never led', async () => {
    await elector().release();
    expect(lock.calls).toEqual([]);
  });
});
