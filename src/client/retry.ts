import { Backoff } from '../base/backoff.js';
import { sleep, type Clock } from '../base/clock.js';
import { parseTime } from '../base/timestamp.js';
import { ApiError, DisruptionBudgetError } from './api-error.js';
import { ConnectionError } from './connection-error.js';

export interface RetryOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Reads can be repeated safely. Writes are retried only if the server did not start to process the request. */
  readonly isRead: boolean;
  readonly retries: number;
  readonly random?: () => number;
}

/** Errors with a longer Retry-After are thrown without a retry; the caller decides when to retry. */
const MAX_WAIT_MS = 60_000;
const BACKOFF = { initialMs: 50, maxMs: 5_000, factor: 3, jitter: 1 };

/** Repeats `attempt` with backoff until it succeeds, fails with a permanent error, or the retries are used up. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  let backoff: Backoff | undefined;
  for (let left = options.retries; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 0 || !isRetryable(error, options.isRead)) throw error;
      backoff ??= new Backoff(BACKOFF, () => options.clock.monotonic(), options.random);
      const waitMs = Math.max(backoff.next(), retryAfterOf(error) ?? 0);
      if (waitMs > MAX_WAIT_MS) throw error;
      await sleep(options.clock, waitMs, options.signal);
    }
  }
}

function isRetryable(error: unknown, isRead: boolean): boolean {
  // A refused connection means that nothing was sent, so a write can be repeated too.
  if (error instanceof ConnectionError) return error.reason === 'refused' || (isRead && error.reason === 'reset');
  if (!(error instanceof ApiError)) return false;
  // The budget depends on other Pods, so only the caller knows how long to wait.
  if (error instanceof DisruptionBudgetError) return false;
  if (error.status === 429) return true;
  // Proxies send 408 when they close a connection that was idle.
  if (isRead) return error.status === 408 || error.status >= 500;
  return error.status === 503 && error.retryAfterMs !== undefined;
}

function retryAfterOf(error: unknown): number | undefined {
  return error instanceof ApiError ? error.retryAfterMs : undefined;
}

/** Returns the delay of a Retry-After header, which contains seconds or a date, in milliseconds. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = parseTime(header);
  return date === undefined ? undefined : Math.max(0, date - nowMs);
}
