import { jest } from '@jest/globals';

/** How much longer tests may take than on the machine that the limits were set for; `.ci/run` measures it. */
export const TIME_FACTOR = Number(process.env['TEST_TIME_FACTOR'] ?? 1);

let longestMs = 0;

/**
 * Sets the least time limit of each test of the suite, as `jest.setTimeout` does, for the speed of the machine. Of several
 * calls the longest limit counts, so that an import does not shorten it.
 */
export function limitTests(ms: number): void {
  longestMs = Math.max(longestMs, ms);
  jest.setTimeout(longestMs * TIME_FACTOR);
}
