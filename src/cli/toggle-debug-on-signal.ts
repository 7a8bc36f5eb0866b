import { changeLogLevel } from '../base/change-log-level.js';
import type { Logger } from '../base/logger.js';
import type { LogThreshold } from '../base/log-threshold.js';

/**
 * Each SIGUSR2 changes the level of a log: to debug, and back to that of the start, or to info if that is debug. Windows does
 * not have the signal.
 */
export function toggleDebugOnSignal(threshold: LogThreshold, logger: Logger): void {
  if (process.platform === 'win32') return;
  const usual = threshold.level === 'debug' ? 'info' : threshold.level;
  process.on('SIGUSR2', () => {
    changeLogLevel(threshold, threshold.level === 'debug' ? usual : 'debug', 'SIGUSR2', logger);
  });
}
