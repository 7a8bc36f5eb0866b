import type { Logger } from '../base/logger.js';
import { TrackedCall } from '../base/tracked-call.js';
import { exitWhenFlushed } from './exit-when-flushed.js';
import { ExitCode } from './exit-codes.js';

/**
 * Ends the process after an unhandled rejection or an error thrown outside of a reconcile, which leave it in an unknown
 * state.
 *
 * A call of a Context that was not awaited is only logged: the reconcile it belongs to runs again at the next event.
 */
export function exitOnUnhandledError(logger: Logger): void {
  process.on('unhandledRejection', (error) => {
    const call = TrackedCall.rejectedBy(error);
    if (call) {
      const hint = `await ${call.description}`;
      logger.error(`missing await: ${call.description} was rejected and nothing handles the error`, {
        err: error,
        hint,
      });
    } else end(logger, 'unhandled promise rejection', error, 'await the promise, or handle its errors with catch');
  });
  process.on('uncaughtException', (error) => {
    end(logger, 'error thrown outside of a reconcile', error, 'catch the error in the callback that throws it');
  });
}

function end(logger: Logger, message: string, error: unknown, hint: string): void {
  logger.error(`${message}, the operator ends`, { err: error, hint });
  void exitWhenFlushed(ExitCode.failure);
}
