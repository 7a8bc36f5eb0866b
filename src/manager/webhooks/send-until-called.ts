import { sleep } from '../../base/clock.js';
import { SystemClock } from '../../base/system-clock.js';

const POLL_MS = 20;
/** API servers read configurations by a watch, usually within milliseconds. */
const EFFECTIVE_MS = 10_000;

/** Repeats a request until the API server calls this process for it. Returns false if that takes too long. */
export async function sendUntilCalled(send: () => Promise<unknown>, isCalled: () => boolean): Promise<boolean> {
  const clock = new SystemClock();
  const start = clock.monotonic();
  while (!isCalled() && clock.monotonic() - start < EFFECTIVE_MS) {
    await send();
    if (!isCalled()) await sleep(clock, POLL_MS);
  }
  return isCalled();
}
