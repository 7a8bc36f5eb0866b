// Prints how much slower this machine is at present than the one that the time limits were set for, at least 1: the
// factor of `TEST_TIME_FACTOR`. Loops run on two cores at the same time, as the tests do. Needs no dependency.
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const ROUNDS = 60_000_000;
/** The duration of one loop on two idle cores of the reference machine. */
const REFERENCE_MS = 600;
/** A machine that is slower by more than this does not get longer limits. */
const MAX_FACTOR = 4;
const SAMPLES = 5;

if (isMainThread) {
  const loops = [0, 1].map(
    () =>
      new Promise((resolve, reject) => {
        new Worker(new URL(import.meta.url)).on('message', resolve).on('error', reject);
      }),
  );
  const factor = Math.max(...(await Promise.all(loops))) / REFERENCE_MS;
  console.log(Math.min(MAX_FACTOR, Math.max(1, factor)).toFixed(1));
} else {
  const durations = Array.from({ length: SAMPLES }, () => {
    const start = performance.now();
    let state = 1;
    for (let round = 0; round < ROUNDS; round++) state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + round;
    return { ms: performance.now() - start, state };
  });
  parentPort.postMessage(durations.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(SAMPLES / 2)]);
}
