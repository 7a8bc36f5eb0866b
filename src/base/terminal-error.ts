import { OperatorError } from './operator-error.js';

/**
 * Thrown by a reconcile to state that a retry cannot help.
 *
 * The key is not queued again; the next event of the object runs the reconcile again.
 */
export class TerminalError extends OperatorError {
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { code: 'E_TERMINAL', ...options });
  }
}
