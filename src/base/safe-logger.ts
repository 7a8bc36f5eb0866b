import { silentLogger, type LogFields, type Logger } from './logger.js';

/**
 * Returns a logger that never throws, for a logger of the user: a full disk, or a field that cannot be read, must not
 * stop what logs.
 *
 * A line that fails is logged again without its fields, and lost if that fails too.
 */
export function safeLogger(logger: Logger): Logger {
  return logger instanceof SafeLogger ? logger : new SafeLogger(logger);
}

class SafeLogger implements Logger {
  constructor(private readonly inner: Logger) {}

  debug(message: string, fields?: LogFields): void {
    this.write('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.write('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.write('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.write('error', message, fields);
  }

  isEnabled(level: 'debug' | 'info' | 'warn' | 'error'): boolean {
    try {
      // Not a member of silentLogger: other loggers are copies of it with methods of their own.
      return this.inner !== silentLogger && this.inner.isEnabled?.(level) !== false;
    } catch {
      return true;
    }
  }

  child(fields: LogFields): Logger {
    try {
      return new SafeLogger(this.inner.child(fields));
    } catch {
      return this;
    }
  }

  private write(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields: LogFields | undefined): void {
    try {
      this.inner[level](message, fields);
    } catch {
      try {
        this.inner[level](message);
      } catch {
        // Nothing is left to report it to.
      }
    }
  }
}
