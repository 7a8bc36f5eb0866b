import type { ObjectKey } from '../../api/objects/object-key.js';
import { OperatorError } from '../../base/operator-error.js';

/**
 * Called before each write, and again at the moment when its request is written to the connection. Throws a
 * WriteFencedError when this process must not write: it has lost the leadership, it has shut down, or another replica
 * reconciles the object with the key. The lease is compared with the clock, so this also holds after the event loop was
 * blocked.
 */
export type WriteFence = (key?: ObjectKey) => void;

/** Thrown instead of a write when this process is not the leader, has shut down, or the object is that of another. */
export class WriteFencedError extends OperatorError {
  constructor(why: string) {
    super(`write rejected: ${why}`, { code: 'E_WRITE_FENCED' });
  }
}
