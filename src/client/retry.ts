import { Backoff } from '../base/backoff.js';
import { sleep, type Clock } from '../base/clock.js';
import { parseTime } from '../base/timestamp.js';
import { ApiError } from './api-error.js';
import { ConnectionError } from './connection-error.js';

export interface RetryOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** A read does no harm when it is done twice; a write is tried again only if the server says it has not begun. */
  readonly isRead: boolean;
  readonly retries: number;
  readonly random?: () => number;
}

/** Who wants us away for longer is better asked anew by the caller. */
const LONGEST_WAIT_MS = 60_000;
const BACKOFF = { initialMs: 50, maxMs: 5_000, factor: 3, jitter: 1 };

/** Does something until it works, or fails for a reason that will not pass, or has been tried often enough. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  let backoff: Backoff | undefined;
  for (let left = options.retries; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 0 || !isPassing(error, options.isRead)) throw error;
      backoff ??= new Backoff(BACKOFF, () => options.clock.monotonic(), options.random);
      const waitMs = Math.max(backoff.next(), retryAfterOf(error) ?? 0);
      if (waitMs > LONGEST_WAIT_MS) throw error;
      await sleep(options.clock, waitMs, options.signal);
    }
  }
}

function isPassing(error: unknown, isRead: boolean): boolean {
  if (error instanceof ConnectionError) return isRead && (error.reason === 'refused' || error.reason === 'reset');
  if (!(error instanceof ApiError)) return false;
  if (error.status === 429) return true;
  if (isRead) return error.status >= 500;
  return error.status === 503 && error.retryAfterMs !== undefined;
}

function retryAfterOf(error: unknown): number | undefined {
  return error instanceof ApiError ? error.retryAfterMs : undefined;
}

/** Milliseconds of a Retry-After header: seconds, or a date. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = parseTime(header);
  return date === undefined ? undefined : Math.max(0, date - nowMs);
}
