import type { Clock } from '../../base/clock.js';

/** Measures how long a new map, which has no owners yet, has existed: an earlier one may have been deleted. */
export class FreshMap {
  private seen: { readonly uid: string | undefined; readonly sinceMs: number } | undefined;

  constructor(private readonly clock: Clock) {}

  /** To be called with each map that was read, and the uid of its Lease. */
  observe(uid: string | undefined, isNew: boolean): void {
    if (!isNew) this.seen = undefined;
    else if (!this.seen || this.seen.uid !== uid) this.seen = { uid, sinceMs: this.clock.monotonic() };
  }

  /** Measures again from the next read. */
  reset(): void {
    this.seen = undefined;
  }

  /** Returns true if the last map is new and was seen first at least this long ago. */
  isOlderThan(ms: number): boolean {
    return this.seen !== undefined && this.clock.monotonic() - this.seen.sinceMs >= ms;
  }
}
