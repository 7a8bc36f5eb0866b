import type { Logger } from '../base/logger.js';
import { createLogger } from '../base/create-logger.js';
import type { LogLevel } from '../base/pino-logger.js';
import { exitOnUnhandledError } from './exit-on-unhandled-error.js';
import { exitCodeFor, logError, ReportedError } from './report-error.js';

/** Command-line options of the log of a long-running command. */
export interface LogOptions {
  readonly logLevel: LogLevel;
  readonly logFormat?: 'text' | 'json';
  readonly verbose?: boolean;
}

/** Returns whether lines of level debug are printed. */
export function isDebug({ verbose, logLevel }: LogOptions): boolean {
  return verbose === true || logLevel === 'debug';
}

/**
 * Runs a command with a log on standard error: text on a terminal, otherwise JSON.
 *
 * @throws what the command throws; ReportedError if the error was written to a JSON log.
 */
export async function withLogger(options: LogOptions, command: (logger: Logger) => Promise<void>): Promise<void> {
  const format = options.logFormat ?? (process.stderr.isTTY ? 'text' : 'json');
  const level = isDebug(options) ? 'debug' : options.logLevel;
  const logger = await createLogger({ level, format });
  exitOnUnhandledError(logger);
  try {
    await command(logger);
  } catch (error) {
    if (format === 'text') throw error;
    logError(logger, error, options.verbose === true);
    throw new ReportedError(exitCodeFor(error));
  }
}
