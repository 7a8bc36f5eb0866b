import { OperatorError } from '../base/operator-error.js';

/** The reason why a list or watch that the server accepted is unusable. */
export type WatchFailure =
  /** Neither event nor bookmark arrived within the limit of a live connection, or an event was missed. */
  | 'idle'
  /** An audit has found that the watch did not deliver every change, although it continues. */
  | 'missed'
  /** The server ended the watch within a second. */
  | 'closed'
  /** The bookmark that ends the initial events, or a resourceVersion, is missing. */
  | 'incomplete'
  /** The server sent something other than an event or object of the kind. */
  | 'malformed';

/**
 * A list or watch that the server accepted is unusable. The connection of a watch is closed, so that resuming it repeats
 * the events that were not delivered.
 */
export class WatchError extends OperatorError {
  readonly reason: WatchFailure;

  constructor(message: string, reason: WatchFailure) {
    super(message, { code: 'E_WATCH' });
    this.reason = reason;
  }
}
