import type { Cancel, Clock } from './clock.js';
import { scheduleAfterPoll } from './schedule-after-poll.js';

/**
 * Calls back once when it was not fed within its limit.
 *
 * Data that has already been received when the limit expires counts, so that a process that was stopped for a while does
 * not take its connections for dead.
 */
export class Watchdog {
  private fedAt: number;
  private limitMs = Infinity;
  private cancel: Cancel = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onSilence: (silentMs: number) => void,
  ) {
    this.fedAt = clock.monotonic();
  }

  /** The time since it was fed. */
  get silentMs(): number {
    return this.clock.monotonic() - this.fedAt;
  }

  /** Restarts the limit. Cheap enough for every event: no timer is set. */
  feed(): void {
    this.fedAt = this.clock.monotonic();
  }

  /** Changes the limit. The silence so far counts towards it. */
  setLimit(limitMs: number): void {
    if (limitMs === this.limitMs) return;
    this.limitMs = limitMs;
    this.schedule();
  }

  stop(): void {
    this.cancel();
  }

  private schedule(): void {
    this.cancel();
    this.cancel = scheduleAfterPoll(this.clock, this.leftMs(), () => {
      if (this.leftMs() > 0) this.schedule();
      else this.onSilence(this.silentMs);
    });
  }

  /** The remaining time, compared with zero: because of rounding, the silence could stay below its limit forever. */
  private leftMs(): number {
    return this.fedAt + this.limitMs - this.clock.monotonic();
  }
}
