import type { Cancel, Clock } from '../base/clock.js';

/** Calls back once when it has not been fed for as long as its limit. */
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

  /** Cheap enough for every event: no timer is touched. */
  feed(): void {
    this.fedAt = this.clock.monotonic();
  }

  /** Changes the limit; the silence so far counts. */
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
    this.cancel = this.clock.schedule(this.leftMs(), () => {
      if (this.leftMs() > 0) this.schedule();
      else this.onSilence(this.clock.monotonic() - this.fedAt);
    });
  }

  /** Compared with zero, not the silence with its limit: rounded, that could stay below for good. */
  private leftMs(): number {
    return this.fedAt + this.limitMs - this.clock.monotonic();
  }
}
