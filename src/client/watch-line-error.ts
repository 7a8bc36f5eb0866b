import { OperatorError } from '../base/operator-error.js';

/** A watch received what is no watch event. The stream is given up, so that a resume brings its events again. */
export class WatchLineError extends OperatorError {
  constructor(message: string) {
    super(message, { code: 'E_WATCH_LINE' });
  }
}
