import { sleep, type Clock } from './clock.js';
import { SystemClock } from './system-clock.js';

export interface EventuallyOptions {
  /** Default 10,000. */
  readonly timeoutMs?: number;
  /** The longest pause between two attempts; the first ones are shorter. Default 25. */
  readonly intervalMs?: number;
  readonly clock?: Clock;
}

/**
 * Repeats `attempt` until it neither throws nor rejects, and returns what it returned, be it `false`.
 *
 * When the time is up the last error is thrown as it is, so that a test fails with its assertion.
 */
export async function eventually<T>(attempt: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const { timeoutMs = 10_000, intervalMs = 25, clock = new SystemClock() } = options;
  const end = clock.monotonic() + timeoutMs;
  for (let pauseMs = 1; ; pauseMs *= 2) {
    try {
      return await attempt();
    } catch (error) {
      if (clock.monotonic() >= end) throw error;
    }
    await sleep(clock, Math.min(pauseMs, intervalMs, end - clock.monotonic()));
  }
}
