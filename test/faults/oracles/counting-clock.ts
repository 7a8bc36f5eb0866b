import type { Cancel } from '../../../src/base/clock.js';
import { SystemClock } from '../../../src/base/system-clock.js';

/** The system time, with a count of the timers that are pending. */
export class CountingClock extends SystemClock {
  pending = 0;

  override schedule(delayMs: number, callback: () => void): Cancel {
    this.pending += 1;
    let isOver = false;
    const settle = (): void => {
      if (!isOver) this.pending -= 1;
      isOver = true;
    };
    const cancel = super.schedule(delayMs, () => {
      settle();
      callback();
    });
    return () => {
      settle();
      cancel();
    };
  }
}
