import type { Cancel, Clock } from '../base/clock.js';

/** Calls back once after a period without `feed`. `feed` only reads the clock and creates no timer. */
export class InactivityTimer {
  private fedAtMs = 0;
  private cancel: Cancel | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly limitMs: number,
  ) {}

  start(onInactive: () => void): void {
    this.feed();
    this.arm(this.limitMs, onInactive);
  }

  feed(): void {
    if (this.limitMs !== Infinity) this.fedAtMs = this.clock.monotonic();
  }

  stop(): void {
    this.cancel?.();
  }

  private arm(delayMs: number, onInactive: () => void): void {
    this.cancel = this.clock.schedule(delayMs, () => {
      const leftMs = this.fedAtMs + this.limitMs - this.clock.monotonic();
      if (leftMs > 0) this.arm(leftMs, onInactive);
      else onInactive();
    });
  }
}
