import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../base/clock.js';
import { SystemClock } from '../base/system-clock.js';

/** The longest time for the reader of the output to read it: a log driver may stand still forever. */
const FLUSH_MS = 2000;

/** Ends the process once its output is flushed, or after two seconds, regardless of open timers and sockets. */
export async function exitWhenFlushed(code: number): Promise<never> {
  await setImmediate(); // lets a log line on its way through a formatter arrive
  await flushed([process.stdout, process.stderr], new SystemClock());
  process.exit(code);
}

/** Resolves when all that was written to the streams is flushed, and after two seconds at the latest. */
export async function flushed(streams: readonly NodeJS.WritableStream[], clock: Clock): Promise<void> {
  const all = streams.map((stream) => new Promise((resolve) => stream.write('', resolve)));
  await new Promise((resolve) => {
    const cancel = clock.schedule(FLUSH_MS, () => {
      resolve(undefined);
    });
    void Promise.all(all).then(resolve).finally(cancel);
  });
}
