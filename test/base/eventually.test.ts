import { expect, test } from '@jest/globals';
import { eventually } from '../../src/base/eventually.js';
import { FakeClock } from '../../src/base/fake-clock.js';

test('an attempt is repeated until it succeeds', async () => {
  const clock = new FakeClock();
  let attempts = 0;
  const result = eventually(
    () => {
      attempts += 1;
      if (attempts < 3) throw new Error('not yet');
      return attempts;
    },
    { clock, intervalMs: 10 },
  );
  await clock.advance(20);
  await expect(result).resolves.toBe(3);
});

test('pauses begin short and double up to the interval', async () => {
  const clock = new FakeClock();
  const times: number[] = [];
  const attempt = () => {
    times.push(clock.monotonic());
    if (times.length < 7) throw new Error('not yet');
  };
  const result = eventually(attempt, { clock, intervalMs: 10 });
  await clock.advance(60);
  await result;
  expect(times).toEqual([0, 1, 3, 7, 15, 25, 35]);
});

test('the last error is thrown when the time is up', async () => {
  const clock = new FakeClock();
  const result = eventually(() => Promise.reject(new Error(`at ${clock.monotonic()}`)), {
    clock,
    timeoutMs: 50,
    intervalMs: 10,
  });
  const failure = expect(result).rejects.toThrow('at 50');
  await clock.advance(60);
  await failure;
});
