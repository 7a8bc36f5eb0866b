const numberFrom = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);

/** For how long nothing may be written after a row has converged. A nightly run uses 60,000. */
export const QUIET_MS = numberFrom('FAULT_QUIET_MS', 1_500);

/** How many rows run at the same time. Most of them wait most of the time. */
export const PARALLEL = numberFrom('FAULT_PARALLEL', 12);

/** The time limit of one row. */
export const ROW_LIMIT_MS = numberFrom('FAULT_ROW_LIMIT_MS', 300_000);

/** Every how manieth row of each table runs: 3 in `.ci/run`, which leaves the others to the nightly run. */
export const ROW_STEP = numberFrom('FAULT_ROW_STEP', 1);

/** How many times the watches of a row end, one after the other (F11). A nightly run uses 200, as the catalog. */
export const WATCH_ENDS = numberFrom('FAULT_WATCH_ENDS', 100);

/** How many connections a row loses, one after the other (F60). A nightly run uses 10,000, as the catalog. */
export const LOST_CONNECTIONS = numberFrom('FAULT_LOST_CONNECTIONS', 500);

/** How long a process is suspended (F33). A nightly run uses 600,000, as the catalog. */
export const SUSPENDED_MS = numberFrom('FAULT_SUSPENDED_MS', 60_000);

/** How often the whole table is run, one round after the other, to measure how many runs fail. */
export const RUNS = numberFrom('FAULT_RUNS', 1);

/** Determines the random choices of the rows that have some. */
const SEED = numberFrom('FAULT_SEED', 1);

/** The seeds of random sequences of faults: `FAULT_SEEDS` of them, from `FAULT_SEED` on. A nightly run uses 20. */
export const SEEDS: readonly number[] = Array.from(
  { length: numberFrom('FAULT_SEEDS', 3) },
  (_, index) => SEED + index,
);

/** How many runs may be spent on a shorter sequence of faults that fails too. */
export const SHRINK_RUNS = numberFrom('FAULT_SHRINK_RUNS', 8);

/** Returns a generator of numbers from 0 to 1 for one row, which depends on the seed. */
export function randomOf(id: string, seed = SEED): () => number {
  let state = seed;
  for (const character of id) state = Math.imul(state ^ character.charCodeAt(0), 2_654_435_761);
  return () => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
