import { OperatorError } from './operator-error.js';

/**
 * Thrown by a reconcile to say that a retry cannot help.
 *
 * The key is not queued again; the next event of the object runs it anew.
 */
export class TerminalError extends OperatorError {
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { code: 'E_TERMINAL', ...options });
  }
}
