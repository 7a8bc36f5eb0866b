import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { RunLimiter } from '../../src/queue/run-limiter.js';

describe('RunLimiter', () => {
  test('a key runs as often as allowed without a pause, and then evenly', async () => {
    const clock = new FakeClock();
    const limiter = new RunLimiter(clock, 3, 3000);
    const waits: number[] = [];
    for (let run = 0; run < 5; run++) {
      const waitMs = limiter.waitMs('a');
      waits.push(waitMs);
      await clock.advance(waitMs);
      limiter.began('a');
    }
    expect(waits).toEqual([0, 0, 0, 1000, 1000]);
    await clock.advance(3000);
    expect(limiter.waitMs('a')).toBe(0);
  });

  test('each key is limited separately', () => {
    const limiter = new RunLimiter(new FakeClock(), 1, 1000);
    limiter.began('a');
    expect([limiter.waitMs('a'), limiter.waitMs('b')]).toEqual([1000, 0]);
  });

  test('keys that are not limited any more are forgotten', async () => {
    const clock = new FakeClock();
    const limiter = new RunLimiter(clock, 1, 1000);
    for (let key = 0; key < 999; key++) limiter.began(String(key));
    await clock.advance(2000);
    limiter.began('last');
    expect((Reflect.get(limiter, 'paidAt') as Map<string, number>).size).toBe(1);
  });
});
