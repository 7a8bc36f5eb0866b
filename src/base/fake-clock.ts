import type { Cancel, Clock } from './clock.js';

interface Scheduled {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that advances only when a test calls `advance`. */
export class FakeClock implements Clock {
  private elapsedMs = 0;
  private readonly scheduled = new Set<Scheduled>();

  constructor(private readonly startMs = Date.UTC(2026, 0, 1)) {
    if (!Number.isFinite(startMs)) throw new RangeError(`invalid start time ${startMs}; pass milliseconds`);
  }

  now(): number {
    return this.startMs + this.elapsedMs;
  }

  monotonic(): number {
    return this.elapsedMs;
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    if (Number.isNaN(delayMs)) throw new RangeError('delayMs is NaN');
    const entry = { at: this.elapsedMs + Math.max(0, delayMs), callback };
    this.scheduled.add(entry);
    return () => {
      this.scheduled.delete(entry);
    };
  }

  /** The number of scheduled callbacks. */
  get pending(): number {
    return this.scheduled.size;
  }

  /** Advances time and runs due callbacks in order; promises settle after each. */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`cannot advance the clock by ${ms}; pass milliseconds >= 0`);
    const end = this.elapsedMs + ms;
    await settle();
    for (let next = this.nextDue(end); next; next = this.nextDue(end)) {
      this.scheduled.delete(next);
      this.elapsedMs = next.at;
      next.callback();
      await settle();
    }
    this.elapsedMs = end;
  }

  private nextDue(end: number): Scheduled | undefined {
    let due: Scheduled | undefined;
    for (const entry of this.scheduled) if (entry.at <= end && (!due || entry.at < due.at)) due = entry;
    return due;
  }
}

/** A turn of the event loop, after which every promise that can settle has settled. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
