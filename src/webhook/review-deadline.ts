import type { Clock } from '../base/clock.js';
import { OperatorError } from '../base/operator-error.js';

/** The time for the response to reach the API server. */
const MARGIN_MS = 200;
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 30_000;

/** The end of the time that the API server waits for a review. */
export interface ReviewDeadline {
  readonly signal: AbortSignal;
  /** Must be called when the review has ended. */
  cancel(): void;
}

/** Starts the deadline that the API server sends in the query: `?timeout=10s`. */
export function startDeadline(url: string, clock: Clock): ReviewDeadline {
  const [, seconds] = /[?&]timeout=(\d{1,4})s(?:&|$)/.exec(url) ?? [];
  const timeoutMs = seconds === undefined ? DEFAULT_TIMEOUT_MS : Math.min(Number(seconds) * 1000, MAX_TIMEOUT_MS);
  const ms = Math.max(timeoutMs - MARGIN_MS, 0);
  const controller = new AbortController();
  const cancel = clock.schedule(ms, () => {
    controller.abort(
      new OperatorError(`did not end within ${ms / 1000} s`, {
        code: 'E_WEBHOOK_TIMEOUT',
        hint: 'pass review.signal to what it waits for, or raise timeoutSeconds',
      }),
    );
  });
  return { signal: controller.signal, cancel };
}
