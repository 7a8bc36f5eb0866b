/** Fields of a log line; `err` holds an error. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A structured log: each line has a message and fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns false if lines of the level are dropped, so that long ones need not be composed. Default: none are. */
  isEnabled?(level: 'debug' | 'info' | 'warn' | 'error'): boolean;
  /** Returns a logger that adds `fields` to each of its lines. */
  child(fields: LogFields): Logger;
}

/** Discards every line. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
