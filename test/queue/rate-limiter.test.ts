import { describe, expect, test } from '@jest/globals';
import { ItemExponentialRateLimiter } from '../../src/queue/rate-limiter.js';

describe('ItemExponentialRateLimiter', () => {
  test('the delay of a key doubles with each failure up to the maximum', () => {
    const limiter = new ItemExponentialRateLimiter({ baseDelayMs: 5, maxDelayMs: 1000 });
    expect(Array.from({ length: 10 }, () => limiter.when('a'))).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000]);
  });

  test('the delay of a key grows by the factor, and each is lengthened by a random part, the longest too', () => {
    const delays = { baseDelayMs: 100, maxDelayMs: 1000, delayFactor: 3, delayJitter: 0.5 };
    const random = [0, 0.5, 1, 1];
    const limiter = new ItemExponentialRateLimiter(delays, () => random.shift() ?? 0);
    expect(Array.from({ length: 5 }, () => limiter.when('a'))).toEqual([100, 375, 1350, 1500, 1000]);
  });

  test('failures of each key are counted separately', () => {
    const limiter = new ItemExponentialRateLimiter({ baseDelayMs: 5, maxDelayMs: 1000 });
    limiter.when('a');
    limiter.when('a');
    expect(limiter.when('b')).toBe(5);
    expect([limiter.numRequeues('a'), limiter.numRequeues('b')]).toEqual([2, 1]);
  });

  test('forgetting a key resets its delay', () => {
    const limiter = new ItemExponentialRateLimiter({ baseDelayMs: 5, maxDelayMs: 1000 });
    limiter.when('a');
    limiter.forget('a');
    expect(limiter.numRequeues('a')).toBe(0);
    expect(limiter.when('a')).toBe(5);
  });

  test('the delay is finite after more failures than a double can represent as a power of 2', () => {
    const limiter = new ItemExponentialRateLimiter({ baseDelayMs: 0, maxDelayMs: 1000 });
    for (let i = 0; i < 1100; i++) limiter.when('a');
    expect(limiter.when('a')).toBe(0);
  });
});
