import type { Cancel, Clock } from './clock.js';

/** setTimeout fires immediately for longer delays. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The system time. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    if (Number.isNaN(delayMs)) throw new RangeError('delayMs is NaN');
    if (delayMs <= LONGEST_TIMEOUT_MS) {
      const timer = setTimeout(callback, Math.max(0, delayMs));
      return () => {
        clearTimeout(timer);
      };
    }
    if (delayMs === Infinity) return () => undefined;
    let cancel: Cancel = () => undefined;
    const timer = setTimeout(() => {
      cancel = this.schedule(delayMs - LONGEST_TIMEOUT_MS, callback);
    }, LONGEST_TIMEOUT_MS);
    cancel = () => {
      clearTimeout(timer);
    };
    return () => {
      cancel();
    };
  }
}
