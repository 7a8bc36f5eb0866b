import { jest } from '@jest/globals';

/** How much longer tests may take than on the machine that the limits were set for; `.ci/run` measures it. */
export const TIME_FACTOR = Number(process.env['TEST_TIME_FACTOR'] ?? 1);

/** Sets the time limit of each test of the suite, as `jest.setTimeout` does, for the speed of the machine. */
export function limitTests(ms: number): void {
  jest.setTimeout(ms * TIME_FACTOR);
}
