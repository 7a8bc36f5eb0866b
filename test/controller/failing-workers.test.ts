import { beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { ApiError, ConflictError } from '../../src/client/api-error.js';
import type { Outcome } from '../../src/controller/run/outcome.js';
import type { ReconcileRequest } from '../../src/controller/run/reconcile-request.js';
import { Workers } from '../../src/controller/workers.js';
import { RateLimitingQueue } from '../../src/queue/rate-limiting-queue.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

let clock: FakeClock;
let queue: RateLimitingQueue;
let logger: RecordingLogger;

beforeEach(() => {
  clock = new FakeClock();
  queue = new RateLimitingQueue({ name: 'podset', clock });
  logger = new RecordingLogger();
});

const failed = (message: string): Outcome => ({ type: 'failed', error: new Error(message) });

/** Reconciles the key once per outcome, then without failures; returns the requests as they come. */
function startWith(...outcomes: Outcome[]): ReconcileRequest[] {
  const requests: ReconcileRequest[] = [];
  const reconcile = async (request: ReconcileRequest): Promise<Outcome> => {
    requests.push(request);
    return outcomes.shift() ?? { type: 'done' };
  };
  queue.add('a');
  new Workers({ queue, clock, logger, reconcile, maxConcurrentReconciles: 1 }).start();
  return requests;
}

describe('Workers', () => {
  test('consecutive failures are logged with their number and the time of the next attempt', async () => {
    startWith(failed('one'), failed('one'), failed('two'), failed('two'));
    await clock.advance(100);
    const fields = logger.lines.map(({ fields: { attempt, nextRetry, isRepeated } }) => [
      attempt,
      nextRetry,
      isRepeated,
    ]);
    expect(fields).toEqual([
      [1, '5ms', undefined],
      [2, '10ms', true],
      [3, '20ms', undefined],
      [4, '40ms', true],
    ]);
  });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['a symbol', Symbol('s')],
  ])('a reconcile that rejects with %s is a failure', async (_, thrown) => {
    const keys: string[] = [];
    queue.add('a');
    queue.add('b');
    const reconcile = ({ key }: ReconcileRequest): Promise<Outcome> => {
      keys.push(key);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- any value can be thrown
      return keys.length === 1 ? Promise.reject(thrown) : Promise.resolve({ type: 'done' });
    };
    new Workers({ queue, clock, logger, reconcile, maxConcurrentReconciles: 1 }).start();
    await clock.advance(100);
    expect(keys).toEqual(['a', 'b', 'a']);
  });

  test('attempts of a key are numbered, from 1 again after a success', async () => {
    const conflict: Outcome = { type: 'requeue', reason: 'conflict', why: 'changed' };
    const requests = startWith(failed('one'), conflict, failed('one'));
    await clock.advance(100);
    queue.add('a');
    await clock.advance(0);
    expect(requests.map(({ attempt }) => attempt)).toEqual([1, 2, 2, 3, 1]);
  });

  const rejection = (status: number, message = 'no') =>
    new ApiError(message, { status, reason: '', request: { method: 'PATCH', path: '/' } });

  test.each<[string, Error]>([
    ...[400, 403, 405, 413, 415, 422].map((status): [string, Error] => [`with ${status}`, rejection(status)]),
    ['with 500 because of its size', rejection(500, 'etcdserver: request is too large')],
    ['with an error that is a cause', new Error('cannot scale', { cause: rejection(422) })],
  ])('a request that the server rejected %s is retried after a second', async (_, error) => {
    const requests = startWith({ type: 'failed', error });
    await clock.advance(999);
    expect(requests).toHaveLength(1);
    await clock.advance(1);
    expect(requests).toHaveLength(2);
    expect(logger.lines[0]?.fields).toMatchObject({ nextRetry: '1s' });
  });

  let error: Error;
  const busy = (retryAfterMs: number) =>
    new ApiError('busy', { status: 429, reason: '', request: { method: 'PATCH', path: '/' }, retryAfterMs });

  test.each<[string, Error, number]>([
    ['the Retry-After of the server', busy(7_000), 7_000],
    ['the Retry-After of the cause of its error', new Error('cannot scale', { cause: busy(7_000) }), 7_000],
    ['at most a minute', busy(86_400_000), 60_000],
  ])('a failed key is retried after %s', async (_, error, delayMs) => {
    const requests = startWith({ type: 'failed', error });
    await clock.advance(delayMs - 1);
    expect(requests).toHaveLength(1);
    await clock.advance(1);
    expect(requests).toHaveLength(2);
  });

  test.each<[string, () => Error]>([
    ['that is its own cause', () => Object.defineProperty(new Error('x'), 'cause', { get: (): unknown => error })],
    [
      'whose cause cannot be read',
      () =>
        Object.defineProperty(new Error('x'), 'cause', {
          get: () => {
            throw new Error('trap');
          },
        }),
    ],
  ])('an error %s is retried', async (_, create) => {
    error = create();
    const requests = startWith({ type: 'failed', error });
    await clock.advance(5);
    expect(requests).toHaveLength(2);
  });

  test('the conflicts in a row of a key are counted, until it succeeds or fails otherwise', async () => {
    const conflict: Outcome = { type: 'requeue', reason: 'conflict', why: 'changed' };
    const request = { method: 'PATCH', path: '/' };
    const error = new ConflictError('changed', { status: 409, reason: 'Conflict', request });
    const requests = startWith(
      conflict,
      { type: 'aborted' },
      { type: 'failed', error },
      conflict,
      failed('one'),
      conflict,
    );
    await clock.advance(10_000);
    queue.add('a');
    await clock.advance(0);
    expect(requests.map(({ conflicts }) => conflicts)).toEqual([0, 1, 1, 2, 3, 0, 1, 0]);
  });
});
