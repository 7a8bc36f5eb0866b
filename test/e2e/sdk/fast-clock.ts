import { SystemClock } from '../../../src/base/system-clock.js';

/** Shortens all delays to a sixth; certificates keep the time of the API server. */
export class FastClock extends SystemClock {
  static readonly FACTOR = 6;

  override monotonic(): number {
    return super.monotonic() * FastClock.FACTOR;
  }

  override schedule(delayMs: number, callback: () => void): () => void {
    return super.schedule(delayMs / FastClock.FACTOR, callback);
  }
}
