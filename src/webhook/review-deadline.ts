import type { Cancel, Clock } from '../base/clock.js';
import { OperatorError } from '../base/operator-error.js';

/** The time for the response to reach the API server. */
const MARGIN_MS = 200;
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 30_000;

/** The end of the time that the API server waits for a review: it sends that time in the query, as `?timeout=10s`. */
export class ReviewDeadline {
  private readonly endsAt: number;
  private readonly ms: number;
  private controller: AbortController | undefined;
  private readonly stop: Cancel[] = [];

  /** Must be constructed when the request arrives. */
  constructor(
    url: string,
    private readonly clock: Clock,
  ) {
    const [, seconds] = /[?&]timeout=(\d{1,4})s(?:&|$)/.exec(url) ?? [];
    const timeoutMs = seconds === undefined ? DEFAULT_TIMEOUT_MS : Math.min(Number(seconds) * 1000, MAX_TIMEOUT_MS);
    this.ms = Math.max(timeoutMs - MARGIN_MS, 0);
    this.endsAt = clock.monotonic() + this.ms;
  }

  /** Aborted at the deadline. Created on first use, because most reviews wait for nothing. */
  get signal(): AbortSignal {
    if (!this.controller) {
      const controller = (this.controller = new AbortController());
      this.onEnd(() => {
        controller.abort(this.error());
      });
    }
    return this.controller.signal;
  }

  /** Calls back at the deadline, unless the review has ended. */
  onEnd(callback: () => void): void {
    this.stop.push(this.clock.schedule(Math.max(this.endsAt - this.clock.monotonic(), 0), callback));
  }

  /** Must be called when the review has ended. */
  cancel(): void {
    for (const cancel of this.stop) cancel();
  }

  private error(): OperatorError {
    return new OperatorError(`did not end within ${this.ms / 1000} s`, {
      code: 'E_WEBHOOK_TIMEOUT',
      hint: 'pass review.signal to the calls that it waits for, or increase timeoutSeconds',
    });
  }
}
