import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { toApiError } from '../../src/client/api-error.js';
import { ConnectionError, type ConnectionFailure } from '../../src/client/connection-error.js';
import { parseRetryAfter, withRetries } from '../../src/client/retry.js';

const REQUEST = { method: 'GET', path: '/' };

function answer(status: number, retryAfterMs?: number): Error {
  return toApiError(status, 'busy', REQUEST, retryAfterMs);
}

function lost(reason: ConnectionFailure): Error {
  return new ConnectionError('lost', { reason, host: 'h' });
}

/** How often something that fails so is attempted, and how long that takes. */
async function attempts(error: Error, isRead: boolean): Promise<{ count: number; elapsedMs: number }> {
  const clock = new FakeClock();
  let count = 0;
  const state = { isDone: false };
  const attempt = (): Promise<never> => {
    count++;
    return Promise.reject(error);
  };
  const outcome = withRetries(attempt, { clock, isRead, retries: 3, random: () => 0 })
    .catch((reason: unknown) => reason)
    .finally(() => (state.isDone = true));
  while (!state.isDone) await clock.advance(10);
  expect(await outcome).toBe(error);
  return { count, elapsedMs: clock.monotonic() };
}

describe('withRetries', () => {
  test.each([
    ['a read', true, answer(429), 4],
    ['a read', true, answer(500), 4],
    ['a read', true, answer(504), 4],
    ['a read', true, answer(408), 4],
    ['a read', true, lost('refused'), 4],
    ['a read', true, lost('reset'), 4],
    ['a read', true, lost('timeout'), 1],
    ['a read', true, lost('tls'), 1],
    ['a read', true, answer(404), 1],
    ['a read', true, answer(410), 1],
    ['a write', false, answer(429), 4],
    ['a write', false, answer(503, 1000), 4],
    ['a write', false, answer(503), 1],
    ['a write', false, answer(408), 1],
    ['a write', false, answer(500, 1000), 1],
    ['a write', false, lost('refused'), 4],
    ['a write', false, lost('reset'), 1],
    ['a write', false, answer(409), 1],
  ])('%s (isRead: %s) that fails with %s is attempted %i times', async (_what, isRead, error, count) => {
    expect((await attempts(error, isRead)).count).toBe(count);
  });

  test('the delays between attempts grow', async () => {
    expect((await attempts(answer(500), true)).elapsedMs).toBe(50 + 150 + 450);
  });

  test('the delay is the one that the server requests', async () => {
    expect((await attempts(answer(429, 3000), false)).elapsedMs).toBe(9000);
  });

  test('a request is not repeated when the server requests a delay of more than a minute', async () => {
    expect((await attempts(answer(429, 61_000), true)).count).toBe(1);
  });

  test('the result of a successful retry is returned', async () => {
    const clock = new FakeClock();
    const outcomes = [answer(503, 1000), answer(503, 1000)];
    const attempt = (): Promise<string> => {
      const error = outcomes.shift();
      return error ? Promise.reject(error) : Promise.resolve('done');
    };
    const result = withRetries(attempt, { clock, isRead: true, retries: 4 });
    await clock.advance(2000);
    expect(await result).toBe('done');
  });

  test('an abort ends the delay immediately', async () => {
    const abort = new AbortController();
    const clock = new FakeClock();
    const attempt = () => Promise.reject(answer(429, 3000));
    const result = withRetries(attempt, { clock, isRead: true, retries: 4, signal: abort.signal });
    await clock.advance(1);
    abort.abort(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
    expect(clock.pending).toBe(0);
  });
});

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  test.each([
    ['7', 7000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['soon', undefined],
    ['-3', undefined],
    [undefined, undefined],
  ])('a Retry-After of %s is %s ms', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });
});
