import { OperatorError } from '../base/operator-error.js';

/** What was wrong with a watch that the server did not refuse. */
export type WatchFailure =
  /** Neither event nor bookmark for longer than a live connection is silent. */
  | 'silent'
  /** Ended at once, without an event. */
  | 'closed'
  /** Ended, or went on, without the bookmark that ends the initial events. */
  | 'incomplete'
  /** Something that is not an event of the kind. */
  | 'malformed';

/** A watch that cannot be relied on. */
export class BrokenWatchError extends OperatorError {
  readonly reason: WatchFailure;

  constructor(message: string, reason: WatchFailure) {
    super(message, { code: 'E_BROKEN_WATCH' });
    this.reason = reason;
  }
}
