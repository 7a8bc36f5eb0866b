import type { Writable } from 'node:stream';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { errorFields } from './error-fields.js';
import type { LogFields, Logger } from './logger.js';
import { LogThreshold, type LogLevel } from './log-threshold.js';
import { textLogLine, type LogRecord } from './text-log-line.js';

export interface PinoLoggerOptions {
  /** A threshold can be changed later; it also applies to the children of the logger. */
  readonly level: LogLevel | LogThreshold;
  /** `json`: one object per line; `text`: human-readable. */
  readonly format: 'text' | 'json';
  /** Default: standard error. */
  readonly destination?: Writable;
  /** Color the text; for terminals. */
  readonly color?: boolean;
}

/**
 * A Logger that writes with pino.
 *
 * An error in the field `err` is logged with its message and its location in the user's code; at level debug also with
 * its stack.
 */
export async function createPinoLogger(options: PinoLoggerOptions): Promise<Logger> {
  const threshold = options.level instanceof LogThreshold ? options.level : new LogThreshold(options.level);
  const isVerbose = (): boolean => threshold.includes('debug');
  const destination = options.destination ?? process.stderr;
  const stream =
    options.format === 'text' ? await textStream(destination, options.color ?? false, isVerbose) : destination;
  return new PinoLogger(
    pino(
      {
        level: 'debug',
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
        serializers: { err: (error: unknown) => serialized(error, options.format, isVerbose) },
      },
      stream,
    ),
    threshold,
  );
}

function serialized(error: unknown, format: 'text' | 'json', isVerbose: () => boolean): unknown {
  const { frames, ...fields } = errorFields(error, { isVerbose: isVerbose() });
  return format === 'text' ? { ...fields, frames } : fields;
}

/** Writes each line before the call of the logger returns, so that the last lines before an exit are not lost. */
async function textStream(
  destination: Writable,
  colorize: boolean,
  isVerbose: () => boolean,
): Promise<DestinationStream> {
  const { prettyFactory } = (await import('pino-pretty')).default;
  const messageFormat = (record: LogRecord): string => textLogLine(record, { isVerbose: isVerbose() });
  const layout = { translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname,name', hideObject: true };
  const format = prettyFactory({ colorize, messageFormat, ...layout });
  return { write: (line) => destination.write(format(line)) };
}

/** Children of pino's loggers keep their own level, so pino writes every line that it gets. */
class PinoLogger implements Logger {
  constructor(
    private readonly sink: Pino,
    private readonly threshold: LogThreshold,
  ) {}

  debug(message: string, fields?: LogFields): void {
    if (this.threshold.includes('debug')) this.sink.debug(fields, message);
  }

  info(message: string, fields?: LogFields): void {
    if (this.threshold.includes('info')) this.sink.info(fields, message);
  }

  warn(message: string, fields?: LogFields): void {
    if (this.threshold.includes('warn')) this.sink.warn(fields, message);
  }

  error(message: string, fields?: LogFields): void {
    if (this.threshold.includes('error')) this.sink.error(fields, message);
  }

  isEnabled(level: Exclude<LogLevel, 'silent'>): boolean {
    return this.threshold.includes(level);
  }

  child(fields: LogFields): Logger {
    return new PinoLogger(this.sink.child(fields), this.threshold);
  }
}
