import { isPriority } from '../../api/events/priority.js';
import { durationMs } from '../../base/duration.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Result } from '../../resource/result.js';
import type { Outcome } from './outcome.js';

const HINT = "return { requeueAfter: '30s' }, a number of milliseconds, or nothing";

/**
 * Returns the outcome of a method that has returned.
 *
 * @throws OperatorError (E_RESULT) for a value that is not a duration, or a delay of another name, such as
 * `requeueAfterMs`: it would have no effect.
 */
export function requestedOutcome(className: string, result: Result | void): Outcome {
  const delayMs = requestedMs(className, result);
  if (delayMs === undefined) return { type: 'done' };
  const priority = result?.priority;
  return delayMs === 0
    ? { type: 'requeue', reason: 'requested', why: 'requeueAfter is 0', priority }
    : { type: 'requeueAfter', delayMs, priority };
}

/**
 * Returns the result that requests the earlier run.
 *
 * @throws OperatorError (E_RESULT) as `requestedOutcome` does, for the result that the user's method returned.
 */
export function earlierResult(className: string, needed: Result, returned: Result | void): Result {
  const [neededMs, returnedMs] = [requestedMs(className, needed), requestedMs(className, returned)];
  return neededMs === undefined || returnedMs === undefined
    ? needed
    : { ...returned, requeueAfter: Math.min(neededMs, returnedMs) };
}

function requestedMs(className: string, result: Result | void): number | undefined {
  const { requeueAfter } = result ?? {};
  if (requeueAfter === undefined) {
    const other = result?.priority === undefined ? otherDelay(result) : 'priority without requeueAfter';
    if (other === undefined) return undefined;
    throw new OperatorError(`${className} returned ${other}, which has no effect`, { code: 'E_RESULT', hint: HINT });
  }
  const { priority = 'normal' } = result ?? {};
  if (!isPriority(priority)) {
    const problem = `${className} returned the priority ${String(priority)}`;
    throw new OperatorError(problem, {
      code: 'E_RESULT',
      hint: "return { requeueAfter: '30s', priority: 'high' }, 'normal' or 'low'",
    });
  }
  const delayMs = durationMs(requeueAfter);
  if (delayMs !== undefined) return delayMs;
  const problem = `${className} returned requeueAfter ${String(requeueAfter)}, which is not a duration`;
  throw new OperatorError(problem, { code: 'E_RESULT', hint: HINT });
}

function otherDelay(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  return Object.keys(result).find((name) => /^requeue/i.test(name) && name !== 'requeueAfter');
}
