import { OperatorError } from '../base/operator-error.js';

/**
 * Asked before each write, and throws a WriteFencedError when this process may not write: it no longer leads, or it has
 * shut down. The answer is worked out from the clock, so it also holds in a process that was blocked past its lease.
 */
export type WriteFence = () => void;

/** Thrown instead of a write that this process may no longer make. */
export class WriteFencedError extends OperatorError {
  constructor(why: string) {
    super(`the write was held back: ${why}`, { code: 'E_WRITE_FENCED' });
  }
}
