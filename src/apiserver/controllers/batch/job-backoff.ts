import type { ApiObject } from '../../objects/api-object.js';
import { finishedAt } from './job-pods.js';

const [FIRST_MS, LAST_MS] = [10_000, 600_000];

/** The number of consecutive pod failures, and the time of the last. */
export interface Failures {
  readonly count: number;
  readonly lastMs: number;
}

export const NO_FAILURES: Failures = { count: 0, lastMs: 0 };

/** Returns the failures after more pods ended: a success resets the count. */
export function failuresAfter(
  known: Failures,
  succeeded: readonly ApiObject[],
  failed: readonly ApiObject[],
): Failures {
  const lastSuccess = Math.max(-Infinity, ...succeeded.map(finishedAt));
  const ends = failed.map(finishedAt);
  const later = ends.filter((end) => end > lastSuccess);
  const former = succeeded.length === 0 ? known : NO_FAILURES;
  return later.length === 0 ? former : { count: former.count + later.length, lastMs: Math.max(...later) };
}

/** Milliseconds until the next pod may be created. */
export function untilRetry({ count, lastMs }: Failures, nowMs: number): number {
  if (count === 0) return 0;
  const backoff = Math.min(LAST_MS, FIRST_MS * 2 ** (count - 1));
  return Math.max(0, lastMs + backoff - nowMs);
}
