import { formatLogLine } from './format-log-line.js';
import { LineLogger, type LogLine } from './line-logger.js';

/**
 * A logger for tests: it keeps every line in memory and prints nothing.
 *
 * @example
 * const logger = new RecordingLogger();
 * await using cluster = await startCluster({ logger });
 * expect(logger.messages('error')).toEqual([]);
 * console.log(logger.toString());
 */
export class RecordingLogger extends LineLogger {
  /** All lines so far, oldest first; those of child loggers too. */
  readonly lines: readonly LogLine[];

  constructor() {
    const lines: LogLine[] = [];
    super((line) => lines.push(line));
    this.lines = lines;
  }

  /** The messages of all lines, or of those of one level. */
  messages(level?: LogLine['level']): string[] {
    return this.lines.filter((line) => level === undefined || line.level === level).map(({ message }) => message);
  }

  /** All lines as text, with their fields. */
  override toString(): string {
    return this.lines.map(formatLogLine).join('\n');
  }
}
