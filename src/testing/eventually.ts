import { inspect } from 'node:util';
import { sleep, type Cancel, type Clock } from '../base/clock.js';
import type { Duration } from '../base/duration.js';
import { optionMs } from '../base/option-ms.js';
import { renamedError } from '../base/renamed.js';
import { SystemClock } from '../base/system-clock.js';
import { explainFailure } from './explain-failure.js';
import { testLimitMs, testRun, type TestRun } from './test-run.js';

/** Limits the time that `eventually` waits. */
export interface EventuallyOptions {
  /**
   * Default: three tenths of the test runner's limit for the test, at most 10 s, and less when the test has run for some
   * time: 1.5 s under the default limits of jest and vitest. Under `kindwright/vite`, `kindwright/jest` and after
   * `jest.setTimeout` the limit is known; otherwise it is taken to be 5 s.
   */
  readonly timeout?: Duration;
  /** The longest pause between two attempts; the first ones are shorter. Default: 25 ms. */
  readonly interval?: Duration;
  readonly clock?: Clock;
}

/** Former names of options, and their names. */
const RENAMED = [
  ['timeoutMs', 'timeout'],
  ['intervalMs', 'interval'],
] as const;

const DEFAULT_LIMIT_MS = 5000;
const MAX_DEFAULT_MS = 10_000;
/** Part of the test runner's limit that one call may take by default. */
const SHARE = 0.3;
/** Time that the test runner needs to fail the test before its own limit. */
const MARGIN_MS = 250;
const MIN_DEFAULT_MS = 100;

/** Time beyond the timeout for an attempt that is under way. */
const GRACE_MS = 100;
const TIME_UP = Symbol('time is up');

/**
 * Repeats `attempt` until it neither throws nor rejects, and returns what it returned, be it `false`.
 *
 * When the time is up, the last error is thrown. Its message then also contains the errors of the operators and the
 * timeline of their reconciles since the test began. An attempt that does not end is given up shortly after.
 */
export async function eventually<T>(attempt: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const run = testRun();
  const { timeout, interval, clock = new SystemClock() } = options;
  for (const [former, name] of RENAMED) if (Object.hasOwn(options, former)) throw renamedError(former, `${name}: '5s'`);
  const timeoutMs = timeout === undefined ? defaultTimeoutMs(run) : optionMs('timeout', timeout, 0);
  const intervalMs = optionMs('interval', interval, 25);
  const end = clock.monotonic() + timeoutMs;
  const wait: Wait = { attempts: 0, lastError: undefined };
  let cancel: Cancel = () => undefined;
  const timeUp = new Promise<typeof TIME_UP>((resolve) => {
    cancel = clock.schedule(timeoutMs + GRACE_MS, () => {
      resolve(TIME_UP);
    });
  });
  run.waits.add(wait);
  try {
    for (let pauseMs = 1; ; pauseMs *= 2) {
      const result = await Promise.race([outcomeOf(attempt), timeUp]);
      if (result === TIME_UP) throw explained(hangingError(wait), wait, timeoutMs);
      if (result.isDone) return result.value;
      wait.attempts += 1;
      wait.lastError = result.error;
      if (clock.monotonic() >= end) throw explained(result.error, wait, timeoutMs);
      await sleep(clock, Math.min(pauseMs, intervalMs, end - clock.monotonic()));
    }
  } finally {
    cancel();
    run.waits.delete(wait);
  }
}

interface Wait {
  attempts: number;
  lastError: unknown;
}

type Outcome<T> = { readonly isDone: true; readonly value: T } | { readonly isDone: false; readonly error: unknown };

async function outcomeOf<T>(attempt: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { isDone: true, value: await attempt() };
  } catch (error) {
    return { isDone: false, error };
  }
}

/** The error of an attempt that did not end. */
function hangingError({ attempts, lastError }: Wait): Error {
  const last = attempts === 0 ? '' : `; attempt ${String(attempts)} failed with:\n${String(lastError)}`;
  return new Error(`attempt ${String(attempts + 1)} of eventually did not end${last}`, { cause: lastError });
}

function explained(thrown: unknown, wait: Wait, timeoutMs: number): Error {
  const { attempts } = wait;
  testRun().waits.delete(wait);
  const tried = `eventually gave up after ${String(Math.round(timeoutMs))} ms and ${String(attempts)} failed attempts.`;
  const isIdle = [...testRun().histories].every(({ runs }) => runs.length === 0);
  const note = isIdle ? `${tried}\nNothing was reconciled.` : tried;
  if (thrown instanceof Error && Object.isExtensible(thrown)) return explainFailure(thrown, note);
  return explainFailure(new Error(thrown instanceof Error ? thrown.message : inspect(thrown), { cause: thrown }), note);
}

function defaultTimeoutMs(run: TestRun): number {
  const { startedMs } = run;
  const limit = testLimitMs(run) ?? DEFAULT_LIMIT_MS;
  if (!(limit > 0 && limit < Infinity)) return MAX_DEFAULT_MS;
  const remaining = startedMs === undefined ? limit : startedMs + limit - performance.now() - MARGIN_MS - GRACE_MS;
  return Math.max(MIN_DEFAULT_MS, Math.min(MAX_DEFAULT_MS, SHARE * limit, remaining));
}
