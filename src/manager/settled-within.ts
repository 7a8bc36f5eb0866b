import type { Clock } from '../base/clock.js';

/** Whether the promise settles before `ms` have passed; goes on then without it. */
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
