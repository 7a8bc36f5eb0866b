import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { InactivityTimer } from '../../src/client/inactivity-timer.js';

function start(limitMs: number): { clock: FakeClock; timer: InactivityTimer; calls: number[] } {
  const clock = new FakeClock();
  const timer = new InactivityTimer(clock, limitMs);
  const calls: number[] = [];
  timer.start(() => calls.push(clock.monotonic()));
  return { clock, timer, calls };
}

describe('InactivityTimer', () => {
  test('calls once when the time has passed', async () => {
    const { clock, calls } = start(1000);
    await clock.advance(5000);
    expect(calls).toEqual([1000]);
  });

  test('counts from the last feeding, to the millisecond', async () => {
    const { clock, timer, calls } = start(1000);
    await clock.advance(900);
    timer.feed();
    await clock.advance(5000);
    expect(calls).toEqual([1900]);
  });

  test('never calls after it was stopped', async () => {
    const { clock, timer, calls } = start(1000);
    timer.stop();
    await clock.advance(5000);
    expect(calls).toEqual([]);
  });

  test('an infinite limit needs no patience', async () => {
    const { clock, calls } = start(Infinity);
    await clock.advance(1e12);
    expect(calls).toEqual([]);
  });
});
