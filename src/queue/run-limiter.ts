import type { ObjectKey } from '../api/objects/object-key.js';
import type { Clock } from '../base/clock.js';

/** The number of keys from which those that are not limited any more are removed. */
const SWEPT_KEYS = 1_000;

/**
 * Limits the runs of each key: `runs` without a pause, and one more whenever `withinMs / runs` has passed. The time at which all runs
 * of a key so far are paid for is the whole state of a key (the generic cell rate algorithm).
 */
export class RunLimiter {
  private readonly paidAt = new Map<ObjectKey, number>();
  private sweptAt = SWEPT_KEYS;

  constructor(
    private readonly clock: Clock,
    private readonly runs: number,
    private readonly withinMs: number,
  ) {}

  /** Returns the time after which the next run of a key may begin; 0 if it may begin now. */
  waitMs(key: ObjectKey): number {
    const unpaidMs = (this.paidAt.get(key) ?? 0) - this.clock.monotonic();
    return Math.max(0, unpaidMs - this.withinMs + this.withinMs / this.runs);
  }

  /** Must be called when a run begins. */
  began(key: ObjectKey): void {
    const now = this.clock.monotonic();
    this.paidAt.set(key, Math.max(this.paidAt.get(key) ?? now, now) + this.withinMs / this.runs);
    if (this.paidAt.size < this.sweptAt) return;
    for (const [each, paidAt] of this.paidAt) if (paidAt <= now) this.paidAt.delete(each);
    this.sweptAt = Math.max(SWEPT_KEYS, this.paidAt.size * 2);
  }
}
