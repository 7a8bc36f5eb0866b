import type { Logger } from '../base/logger.js';
import { ExitCode } from './exit-codes.js';

/** Ends the process when standard output cannot be written: without an error if its reader has closed the pipe, as `| head`. */
export function endOnOutputErrors(): void {
  process.stdout.on('error', end);
  process.stderr.on('error', () => undefined); // there is nowhere to report it
}

/** Replaces `endOnOutputErrors` for commands that serve or reconcile, and must stop in order. */
export function continueOnOutputErrors(logger: Logger): void {
  process.stdout.off('error', end);
  process.stdout.once('error', (error) => {
    process.stdout.on('error', () => undefined);
    logger.warn('standard output cannot be written; the process continues without it', { err: error });
  });
}

function end(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(ExitCode.ok);
  process.stderr.write(`error: standard output cannot be written: ${error.message}\n`);
  process.exit(ExitCode.failure);
}
