const numberFrom = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);

/** For how long nothing may be written after a row has converged. A nightly run uses 60,000. */
export const QUIET_MS = numberFrom('FAULT_QUIET_MS', 1_500);

/** How many rows run at the same time. Most of them wait most of the time. */
export const PARALLEL = numberFrom('FAULT_PARALLEL', 12);

/** The time limit of one row. */
export const ROW_LIMIT_MS = numberFrom('FAULT_ROW_LIMIT_MS', 300_000);

/** Determines the random choices of the rows that have some. */
const SEED = numberFrom('FAULT_SEED', 1);

/** Returns a generator of numbers from 0 to 1 for one row, which depends on `FAULT_SEED`. */
export function randomOf(id: string): () => number {
  let state = SEED;
  for (const character of id) state = Math.imul(state ^ character.charCodeAt(0), 2_654_435_761);
  return () => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
