import type { ObjectKey } from '../api/object-key.js';

/** Determines the delay of a key. */
export interface RateLimiter {
  /** Returns the delay before the key's next attempt and counts a failure. */
  when(key: ObjectKey): number;
  /** Resets the failures of a key that succeeded or is given up. */
  forget(key: ObjectKey): void;
  /** Returns the number of counted failures. */
  numRequeues(key: ObjectKey): number;
}

/** Larger than any sensible maximum, but finite: a base of 0 times Infinity would be NaN. */
const LARGEST_EXPONENT = 64;

/** Delays each key by `baseDelayMs` × 2^failures, at most `maxDelayMs`. */
export class ItemExponentialRateLimiter implements RateLimiter {
  private readonly failures = new Map<ObjectKey, number>();

  constructor(
    private baseDelayMs: number,
    private maxDelayMs: number,
  ) {}

  /** Changes the delays of later attempts. */
  setDelays(baseDelayMs: number, maxDelayMs: number): void {
    this.baseDelayMs = baseDelayMs;
    this.maxDelayMs = maxDelayMs;
  }

  when(key: ObjectKey): number {
    const failures = this.numRequeues(key);
    this.failures.set(key, failures + 1);
    return Math.min(this.maxDelayMs, this.baseDelayMs * 2 ** Math.min(failures, LARGEST_EXPONENT));
  }

  forget(key: ObjectKey): void {
    this.failures.delete(key);
  }

  numRequeues(key: ObjectKey): number {
    return this.failures.get(key) ?? 0;
  }
}
