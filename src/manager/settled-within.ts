import type { Clock } from '../base/clock.js';

/** Resolves with true if the promise settles within `ms`, otherwise with false after `ms`. */
export async function settledWithin(clock: Clock, ms: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(ms, () => {
      resolve(false);
    });
    const settled = (): void => {
      cancel();
      resolve(true);
    };
    promise.then(settled, settled);
  });
}
