import type { Logger } from '../base/logger.js';
import { createLogger } from '../base/create-logger.js';
import { LogThreshold, type LogLevel } from '../base/log-threshold.js';
import { exitOnUnhandledError } from './exit-on-unhandled-error.js';
import { exitCodeFor, logError, ReportedError } from './report-error.js';
import { toggleDebugOnSignal } from './toggle-debug-on-signal.js';

/** Command-line options of the log of a long-running command. */
export interface LogOptions {
  readonly logLevel: LogLevel;
  readonly logFormat?: 'text' | 'json';
  readonly verbose?: boolean;
}

/**
 * Runs a command with a log on standard error: text on a terminal, otherwise JSON. SIGUSR2 changes its level.
 *
 * @throws what the command throws; ReportedError if the error was written to a JSON log.
 */
export async function withLogger(
  options: LogOptions,
  command: (logger: Logger, threshold: LogThreshold) => Promise<void>,
): Promise<void> {
  const format = options.logFormat ?? (process.stderr.isTTY ? 'text' : 'json');
  const threshold = new LogThreshold(options.verbose === true ? 'debug' : options.logLevel);
  const logger = await createLogger({ level: threshold, format });
  toggleDebugOnSignal(threshold, logger);
  exitOnUnhandledError(logger);
  try {
    await command(logger, threshold);
  } catch (error) {
    if (format === 'text') throw error;
    logError(logger, error, options.verbose === true);
    throw new ReportedError(exitCodeFor(error));
  }
}
