import type { Logger } from '../base/logger.js';
import { exitWhenFlushed } from './exit-when-flushed.js';
import { ExitCode } from './exit-codes.js';

/** A rejection that nobody awaits, or a throw in a timer, leaves the process in no known state: it ends. */
export function exitOnStrayErrors(logger: Logger): void {
  const handle = (what: string) => (error: unknown) => {
    logger.error(`${what}: it must be handled where it happens, so the operator ends`, { err: error });
    void exitWhenFlushed(ExitCode.failure);
  };
  process.on('unhandledRejection', handle('a promise was rejected that nothing awaits'));
  process.on('uncaughtException', handle('an error was thrown outside of a reconcile'));
}
