import { OperatorError } from '../base/operator-error.js';

/** The reason why a watch that the server accepted is unusable. */
export type WatchFailure =
  /** Neither event nor bookmark arrived within the limit of a live connection. */
  | 'silent'
  /** The watch ended immediately, without an event. */
  | 'closed'
  /** The bookmark that ends the initial events is missing. */
  | 'incomplete'
  /** The watch contained something other than an event of the kind. */
  | 'malformed';

/** Thrown for a watch that is unusable. */
export class BrokenWatchError extends OperatorError {
  readonly reason: WatchFailure;

  constructor(message: string, reason: WatchFailure) {
    super(message, { code: 'E_BROKEN_WATCH' });
    this.reason = reason;
  }
}
