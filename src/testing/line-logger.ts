import type { LogFields, Logger } from '../base/logger.js';

/** A line of a log. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  /** The fields of the line and of the loggers it was logged through. */
  readonly fields: LogFields;
}

/** A logger that passes every line, and every line of its children, to one function. */
export class LineLogger implements Logger {
  constructor(
    private readonly write: (line: LogLine) => void,
    private readonly common: LogFields = {},
  ) {}

  debug(message: string, fields?: LogFields): void {
    this.log('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.log('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.log('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.log('error', message, fields);
  }

  child(fields: LogFields): Logger {
    return new LineLogger(this.write, { ...this.common, ...fields });
  }

  private log(level: LogLine['level'], message: string, fields?: LogFields): void {
    this.write({ level, message, fields: { ...this.common, ...fields } });
  }
}
