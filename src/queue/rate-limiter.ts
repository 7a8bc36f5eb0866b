import type { ObjectKey } from '../api/object-key.js';

/** Says how long a key has to wait. */
export interface RateLimiter {
  /** The delay of the key's next try; counts this one. */
  when(key: ObjectKey): number;
  /** The key succeeded, or is given up: its next failure is its first. */
  forget(key: ObjectKey): void;
  /** How many failures have been counted. */
  numRequeues(key: ObjectKey): number;
}

/** Beyond any sensible maximum, yet finite: a base of 0 times Infinity would be NaN. */
const LARGEST_EXPONENT = 64;

/** Delays each key by `baseDelayMs` × 2^failures, at most `maxDelayMs`. */
export class ItemExponentialRateLimiter implements RateLimiter {
  private readonly failures = new Map<ObjectKey, number>();

  constructor(
    private readonly baseDelayMs: number,
    private readonly maxDelayMs: number,
  ) {}

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
