import { OperatorError } from '../../base/operator-error.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';
import type { TrackedWrite } from './tracked-context.js';

/**
 * Returns the error of a reconcile that returned while writes were running; undefined if `writes` is empty.
 *
 * Logs the writes that fail later, so that their rejections are handled. If not strict, the error is logged as a
 * warning instead of being returned.
 */
export function missingAwait(
  request: ReconcileRequest,
  writes: readonly TrackedWrite[],
  isStrict: boolean,
): OperatorError | undefined {
  const [first] = writes;
  if (!first) return undefined;
  for (const { call, promise } of writes) {
    promise.catch((error: unknown) => {
      if (!request.isAborted)
        request.log.error(`${call.description} failed after the reconcile returned`, { err: error });
    });
  }
  const { description, callerLines } = first.call;
  const message = `missing await: the reconcile returned while ${description} was running`;
  const error = new OperatorError(message, { code: 'E_MISSING_AWAIT', hint: `await ${description}` });
  error.stack = [`${error.name}: ${message}`, ...callerLines].join('\n');
  if (isStrict) return error;
  request.log.warn(message, { at: first.call.location, hint: error.hint });
  return undefined;
}
