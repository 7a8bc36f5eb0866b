import type { Logger } from './logger.js';
import type { LogLevel, LogThreshold } from './log-threshold.js';

/** Options of `createLogger`. */
export interface LoggerOptions {
  /** Default `info`. A threshold can be changed later. */
  readonly level?: LogLevel | LogThreshold | undefined;
  /** `json`: one object per line; `text`: human-readable. Default: `text` for a terminal, otherwise `json`. */
  readonly format?: 'text' | 'json' | undefined;
}

/** Returns the logger of `run-operator`, which writes to standard error. */
export async function createLogger({ level = 'info', format }: LoggerOptions = {}): Promise<Logger> {
  const { createPinoLogger } = await import('./pino-logger.js');
  const { isTTY } = process.stderr;
  return createPinoLogger({
    level,
    format: format ?? (isTTY ? 'text' : 'json'),
    color: isTTY && process.stderr.hasColors(),
  });
}
