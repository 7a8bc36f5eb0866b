import { describe, expect, test } from '@jest/globals';
import { Backoff } from '../../src/base/backoff.js';

const options = { initialMs: 800, maxMs: 30_000, factor: 2, jitter: 1, resetAfterMs: 120_000 };

describe('Backoff', () => {
  test('the back-off doubles up to its maximum', () => {
    const backoff = new Backoff(
      options,
      () => 0,
      () => 0,
    );
    expect(Array.from({ length: 7 }, () => backoff.next())).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
  });

  test('the jitter adds up to the whole delay, never beyond the maximum', () => {
    const backoff = new Backoff(
      options,
      () => 0,
      () => 1,
    );
    expect([backoff.next(), backoff.next()]).toEqual([1600, 3200]);
    for (let i = 0; i < 10; i++) expect(backoff.next()).toBeLessThanOrEqual(30_000);
  });

  test('the back-off is reset after a time without failures', () => {
    let now = 0;
    const backoff = new Backoff(
      options,
      () => now,
      () => 0,
    );
    backoff.next();
    backoff.next();
    now = 120_001;
    expect(backoff.next()).toBe(800);
  });
});
