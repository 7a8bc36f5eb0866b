import type { LogLevel, LogThreshold } from './log-threshold.js';
import type { Logger } from './logger.js';

/** Changes the level of a log, and logs a line about it that is written at any level. */
export function changeLogLevel(threshold: LogThreshold, level: LogLevel, changedBy: string, logger: Logger): void {
  threshold.level = 'debug';
  logger.info(`Log level ${level} set by ${changedBy}`);
  threshold.level = level;
}
