export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** `silent` is more severe than every line. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The least severe level that a logger writes. It can be changed while the program runs.
 *
 * @example
 * const threshold = new LogThreshold();
 * const logger = await createLogger({ level: threshold });
 * threshold.level = 'debug';
 */
export class LogThreshold {
  constructor(public level: LogLevel = 'info') {}

  /** Returns whether lines of a level are written. */
  includes(level: Exclude<LogLevel, 'silent'>): boolean {
    return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(this.level);
  }
}
