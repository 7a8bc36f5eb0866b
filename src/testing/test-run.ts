import type { OperatorHistory } from './operator-history.js';

/** A call of `eventually` that has not returned. */
export interface PendingWait {
  readonly attempts: number;
  readonly lastError: unknown;
}

/** The test that is running in this process. */
export interface TestRun {
  /** The histories of the clusters that have been started, and stopped not earlier than during this test. */
  readonly histories: Set<OperatorHistory>;
  readonly waits: Set<PendingWait>;
  /** Set by the plugin of the test runner, in milliseconds of the process's monotonic time. */
  startedMs: number | undefined;
  /** Limit of the test runner for the test; set by the plugin. */
  limitMs: number | undefined;
}

/** Shared by all copies of this module: test runners may load one for the tests and another for their set-up files. */
const TEST_RUN = Symbol.for('kindwright.test-run');

/** The argument of `jest.setTimeout`, or `testTimeout` of jest's configuration. */
const JEST_LIMIT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** The state of the running test. */
export function testRun(): TestRun {
  const scope = globalThis as { [TEST_RUN]?: TestRun | undefined };
  return (scope[TEST_RUN] ??= {
    histories: new Set(),
    waits: new Set(),
    startedMs: undefined,
    limitMs: undefined,
  });
}

/** Returns the limit of the test runner for the running test; undefined if it is not known. */
export function testLimitMs({ limitMs }: TestRun): number | undefined {
  return limitMs ?? (globalThis as { [JEST_LIMIT]?: number })[JEST_LIMIT];
}

/** Returns the time that the test runner leaves to the running test; undefined if its limit is not known. */
export function remainingTestMs(run: TestRun): number | undefined {
  const limit = testLimitMs(run);
  if (limit === undefined || !(limit > 0 && limit < Infinity)) return undefined;
  return run.startedMs === undefined ? limit : Math.max(0, run.startedMs + limit - performance.now());
}

/** Begins a test; of tests that run at the same time the last one counts. */
export function testBegan(limitMs: number): void {
  const run = testRun();
  run.startedMs = performance.now();
  run.limitMs = limitMs;
  for (const history of run.histories) if (history.isEnded) run.histories.delete(history);
}

/** Ends the history of a stopped cluster; under a plugin it is kept until the next test, for the report of this one. */
export function endHistory(history: OperatorHistory): void {
  history.isEnded = true;
  const { histories, startedMs } = testRun();
  if (startedMs === undefined) histories.delete(history);
}
