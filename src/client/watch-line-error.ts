import { OperatorError } from '../base/operator-error.js';

/** A watch received a line that is not a watch event. The stream is aborted, so that a restart repeats its events. */
export class WatchLineError extends OperatorError {
  constructor(message: string) {
    super(message, { code: 'E_WATCH_LINE' });
  }
}
