import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../src/testing/eventually.js';
import { testRun } from '../../src/testing/test-run.js';
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
    { clock, interval: 10 },
  );
  await clock.advance(20);
  await expect(result).resolves.toBe(3);
});

test.each([
  [{ timeoutMs: 5 }, 'timeoutMs does not exist'],
  [{ interval: '5 s' }, 'interval 5 s is not a duration'],
])('the options %j are an error', async (options, message) => {
  await expect(eventually(() => undefined, options as object)).rejects.toThrow(message);
});

test('delays between attempts start short and double up to the interval', async () => {
  const clock = new FakeClock();
  const times: number[] = [];
  const attempt = () => {
    times.push(clock.monotonic());
    if (times.length < 7) throw new Error('not yet');
  };
  const result = eventually(attempt, { clock, interval: 10 });
  await clock.advance(60);
  await result;
  expect(times).toEqual([0, 1, 3, 7, 15, 25, 35]);
});

test('the last error is thrown when the time is up', async () => {
  const clock = new FakeClock();
  const result = eventually(() => Promise.reject(new Error(`at ${clock.monotonic()}`)), {
    clock,
    timeout: 50,
    interval: 10,
  });
  const failure = expect(result).rejects.toThrow('at 50');
  await clock.advance(60);
  await failure;
});

describe('when the time is up', () => {
  const failing = async (attempt: () => unknown) => {
    const clock = new FakeClock();
    const result = eventually(attempt, { clock, timeout: 50, interval: 25 }).catch((error: unknown) => error as Error);
    await clock.advance(500);
    return (await result) as Error;
  };

  test('after the timeout the error is that of the last attempt, with the time and number of attempts', async () => {
    const thrown = new RangeError('too few');
    const error = await failing(() => {
      throw thrown;
    });
    expect(error).toBe(thrown);
    expect(error.message).toMatch(/^too few\n\neventually gave up after 50 ms and \d+ failed attempts\./);
    expect(error.stack).toContain('eventually gave up after 50 ms');
  });

  test('an error that was thrown again has only the last note', async () => {
    const thrown = new Error('again');
    await failing(() => Promise.reject(thrown));
    const { message } = await failing(() => Promise.reject(thrown));
    expect(message.match(/gave up/g)).toHaveLength(1);
  });

  test.each([
    ['text', "'text'"],
    [Object.freeze(new Error('frozen')), 'frozen'],
    [undefined, 'undefined'],
  ])('a value that cannot be extended becomes the cause: %p', async (thrown, text) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- that is the case at hand
    const error = await failing(() => Promise.reject(thrown));
    expect(error).toMatchObject({ cause: thrown, message: expect.stringContaining(text) });
  });

  test('an attempt that does not end is abandoned, with the error of the one before', async () => {
    let attempts = 0;
    const error = await failing(() => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('not yet')) : new Promise(() => undefined);
    });
    expect(error.message).toMatch(
      /^attempt 2 of eventually did not end; attempt 1 failed with:\nError: not yet\n\neven/,
    );
  });

  test('eventually leaves no timer behind when its time is up', async () => {
    await failing(() => Promise.reject(new Error('no')));
    expect(testRun().waits.size).toBe(0);
  });
});

describe('the default timeout', () => {
  const LIMIT = Symbol.for('TEST_TIMEOUT_SYMBOL');
  const scope = globalThis as { [LIMIT]?: number | undefined };
  const configured = scope[LIMIT];
  const run = testRun();
  const { startedMs, limitMs } = run;
  afterEach(() => {
    scope[LIMIT] = configured;
    Object.assign(run, { startedMs, limitMs });
  });

  const timeoutMs = async () => {
    const clock = new FakeClock();
    const result = eventually(() => Promise.reject(new Error('no')), { clock }).catch(
      (error: unknown) => error as Error,
    );
    await clock.advance(20_000);
    const { message } = await result;
    return Number(/gave up after (\d+) ms/.exec(message)?.[1]);
  };

  test.each([
    [undefined, 1500],
    [10_000, 3000],
    [60_000, 10_000],
    [0, 10_000],
  ])('the default timeout under a limit of jest of %p is %i ms', async (limit, expected) => {
    Object.assign(run, { startedMs: undefined, limitMs: undefined });
    scope[LIMIT] = limit;
    expect(await timeoutMs()).toBe(expected);
  });

  test('the default timeout follows the limit that a plugin has found for the test', async () => {
    Object.assign(run, { startedMs: performance.now(), limitMs: 20_000 });
    expect(await timeoutMs()).toBe(6000);
  });

  test('the default timeout ends before the limit when the test has run for some time', async () => {
    Object.assign(run, { startedMs: performance.now() - 4000, limitMs: 5000 });
    expect(await timeoutMs()).toBeLessThan(750);
  });

  test('the default timeout is short when no time is left', async () => {
    Object.assign(run, { startedMs: performance.now() - 6000, limitMs: 5000 });
    expect(await timeoutMs()).toBe(100);
  });
});
