import { OperatorError } from '../base/operator-error.js';
import type { Result } from '../resource/result.js';
import type { Outcome } from './outcome.js';

/**
 * Returns the outcome of a method that has returned.
 *
 * @throws OperatorError (E_RESULT) for a delay that is not a number of milliseconds, or that has the name that another SDK
 * uses, such as `requeueAfter`: it would have no effect.
 */
export function requestedOutcome(className: string, result: Result | void): Outcome {
  const delayMs = result?.requeueAfterMs;
  if (delayMs === undefined) {
    const other = otherDelay(result);
    if (other === undefined) return { type: 'done' };
    throw new OperatorError(`${className} returned ${other}, which has no effect`, {
      code: 'E_RESULT',
      hint: 'return { requeueAfterMs }, in milliseconds, or nothing',
    });
  }
  if (!Number.isFinite(delayMs) || delayMs < 0) {
    throw new OperatorError(`${className} returned requeueAfterMs ${String(delayMs)}`, {
      code: 'E_RESULT',
      hint: 'return { requeueAfterMs } with a finite number that is not negative, or nothing',
    });
  }
  return delayMs === 0
    ? { type: 'requeue', reason: 'requested', why: 'requeueAfterMs is 0' }
    : { type: 'requeueAfter', delayMs };
}

/**
 * Returns the result that requests the earlier run.
 *
 * @throws OperatorError (E_RESULT) as `requestedOutcome` does, for the result that the user's method returned.
 */
export function earlierResult(className: string, needed: Result, returned: Result | void): Result {
  if (requestedOutcome(className, returned).type === 'done') return needed;
  const [delayMs = 0, returnedMs = 0] = [needed.requeueAfterMs, returned?.requeueAfterMs];
  return { requeueAfterMs: Math.min(delayMs, returnedMs) };
}

function otherDelay(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  return Object.keys(result).find((name) => /^requeue/i.test(name) && name !== 'requeueAfterMs');
}
