import type { LogFields, Logger } from '../../src/base/logger.js';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** Keeps every line, with the fields of the loggers it came through. */
export class RecordingLogger implements Logger {
  constructor(
    readonly lines: LogLine[] = [],
    private readonly common: LogFields = {},
  ) {}

  debug(message: string, fields?: LogFields): void {
    this.keep('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.keep('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.keep('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.keep('error', message, fields);
  }

  child(fields: LogFields): Logger {
    return new RecordingLogger(this.lines, { ...this.common, ...fields });
  }

  messages(level?: LogLine['level']): string[] {
    return this.lines.filter((line) => level === undefined || line.level === level).map(({ message }) => message);
  }

  private keep(level: LogLine['level'], message: string, fields?: LogFields): void {
    this.lines.push({ level, message, fields: { ...this.common, ...fields } });
  }
}
