import type { Cancel, Clock } from '../../src/base/clock.js';
import type { FakeClock } from '../../src/base/fake-clock.js';

/** The clock of one process: its own start, and no callbacks while its event loop is blocked. */
export class ProcessClock implements Clock {
  isBlocked = false;
  private due: (() => void)[] = [];

  constructor(
    private readonly time: FakeClock,
    private readonly skewMs: number,
  ) {}

  now(): number {
    return this.time.now() + this.skewMs;
  }

  monotonic(): number {
    return this.time.monotonic() + Math.abs(this.skewMs);
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    const run = (): void => {
      if (!this.isBlocked) callback();
      else this.due.push(run);
    };
    const cancel = this.time.schedule(delayMs, run);
    return () => {
      cancel();
      this.due = this.due.filter((other) => other !== run);
    };
  }

  /** Resolves when the event loop is not blocked. */
  async unblocked(): Promise<void> {
    if (this.isBlocked) await new Promise<void>((resolve) => this.due.push(resolve));
  }

  block(ms: number): void {
    this.isBlocked = true;
    this.time.schedule(ms, () => {
      this.isBlocked = false;
      for (const run of this.due.splice(0)) run();
    });
  }
}
