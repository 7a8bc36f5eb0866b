import { describe, expect, test } from '@jest/globals';
import { sleep } from '../../src/base/clock.js';
import { FakeClock } from '../../src/base/fake-clock.js';
import { SystemClock } from '../../src/base/system-clock.js';

describe('sleep', () => {
  test('sleep resolves after its delay, not before', async () => {
    const clock = new FakeClock();
    let isAwake = false;
    const slept = sleep(clock, 100).then(() => (isAwake = true));
    await clock.advance(99);
    expect(isAwake).toBe(false);
    await clock.advance(1);
    await slept;
    expect(isAwake).toBe(true);
  });

  test('sleep rejects with the reason of an abort and leaves no timer', async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const slept = sleep(clock, 100, abort.signal);
    abort.abort(new Error('enough'));
    await expect(slept).rejects.toThrow('enough');
    expect(clock.pending).toBe(0);
  });
});

describe('FakeClock', () => {
  test('FakeClock runs timers in the order of their times, including those set by earlier ones', async () => {
    const clock = new FakeClock();
    const seen: string[] = [];
    clock.schedule(20, () => seen.push('b'));
    clock.schedule(10, () => {
      seen.push('a');
      clock.schedule(5, () => seen.push('a+5'));
    });
    await clock.advance(30);
    expect(seen).toEqual(['a', 'a+5', 'b']);
    expect(clock.monotonic()).toBe(30);
  });
});

describe('SystemClock', () => {
  test('SystemClock refuses a delay of NaN, with which setTimeout would fire immediately', () => {
    expect(() => new SystemClock().schedule(Number.NaN, () => undefined)).toThrow(RangeError);
  });

  test('SystemClock supports a delay that is longer than the maximum of setTimeout', async () => {
    let hasFired = false;
    const cancel = new SystemClock().schedule(2 ** 31, () => (hasFired = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    cancel();
    expect(hasFired).toBe(false);
  });
});
