import type { Writable } from 'node:stream';
import { pino, type Logger as Pino } from 'pino';
import type { LogFields, Logger } from './logger.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface PinoLoggerOptions {
  readonly level: LogLevel;
  /** `json`: one object a line; `text`: for a person to read. */
  readonly format: 'text' | 'json';
  /** Default: standard error. */
  readonly destination?: Writable;
  /** Colour in text; the caller knows whether a terminal reads it. */
  readonly color?: boolean;
}

/** A Logger that writes with pino. */
export async function createPinoLogger(options: PinoLoggerOptions): Promise<Logger> {
  const destination = options.destination ?? process.stderr;
  const stream = options.format === 'text' ? await textStream(destination, options.color ?? false) : destination;
  return new PinoLogger(
    pino(
      {
        level: options.level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
      },
      stream,
    ),
  );
}

async function textStream(destination: Writable, colorize: boolean): Promise<NodeJS.WritableStream> {
  const pretty = (await import('pino-pretty')).default;
  return pretty({ destination, colorize, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname', singleLine: true });
}

class PinoLogger implements Logger {
  constructor(private readonly sink: Pino) {}

  debug(message: string, fields?: LogFields): void {
    this.sink.debug(fields, message);
  }

  info(message: string, fields?: LogFields): void {
    this.sink.info(fields, message);
  }

  warn(message: string, fields?: LogFields): void {
    this.sink.warn(fields, message);
  }

  error(message: string, fields?: LogFields): void {
    this.sink.error(fields, message);
  }

  child(fields: LogFields): Logger {
    return new PinoLogger(this.sink.child(fields));
  }
}
