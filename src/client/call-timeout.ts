import type { Duration } from '../base/duration.js';
import { renamedError } from '../base/renamed.js';
import type { CallOptions } from './client-options.js';

/**
 * Returns the time limit of a call.
 *
 * @throws OperatorError (E_RENAMED) for its name of earlier versions, which only a compiler would reject.
 */
export function callTimeout(options: CallOptions): Duration | undefined {
  if ((options as { readonly timeoutMs?: unknown }).timeoutMs !== undefined)
    throw renamedError('timeoutMs', `timeout: '30s'`);
  return options.timeout;
}
