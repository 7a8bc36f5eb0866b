import { randomNumber } from '../base/random.js';
import type { ObjectKey } from '../api/objects/object-key.js';

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

/** The delays of the retries of a key. */
export interface BackoffDelays {
  /** The delay after the first failure. */
  readonly baseDelayMs: number;
  /** The longest delay, before jitter. */
  readonly maxDelayMs: number;
  /** By which each further failure multiplies the delay; default 2. */
  readonly delayFactor?: number | undefined;
  /** The part of a delay by which it is lengthened at most, at random; default 0. */
  readonly delayJitter?: number | undefined;
}

/** Delays each key by `baseDelayMs` × `delayFactor`^failures, at most `maxDelayMs`, and a random part of that. */
export class ItemExponentialRateLimiter implements RateLimiter {
  private readonly failures = new Map<ObjectKey, number>();

  constructor(
    /** The delays of later attempts. */
    public delays: BackoffDelays,
    private readonly random: () => number = () => randomNumber('delay of a key'),
  ) {}

  when(key: ObjectKey): number {
    const failures = this.numRequeues(key);
    this.failures.set(key, failures + 1);
    const { baseDelayMs, maxDelayMs, delayFactor = 2, delayJitter = 0 } = this.delays;
    const delayMs = Math.min(maxDelayMs, baseDelayMs * delayFactor ** Math.min(failures, LARGEST_EXPONENT));
    return Math.round(delayMs * (1 + delayJitter * this.random()));
  }

  forget(key: ObjectKey): void {
    this.failures.delete(key);
  }

  numRequeues(key: ObjectKey): number {
    return this.failures.get(key) ?? 0;
  }
}
