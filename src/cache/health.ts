import type { Logger } from '../base/logger.js';

export type ErrorListener = (error: Error) => void;

/** What is wrong with a reflector's connection, said once and not at each retry. */
export class Health {
  private error: Error | undefined;
  private readonly reported = new Set<string>();
  private readonly listeners = new Set<ErrorListener>();

  constructor(private readonly logger: Logger) {}

  /** Why there is no connection; undefined while there is one. */
  get lastError(): Error | undefined {
    return this.error;
  }

  /** Calls the listener for each new error, in place of a log line. Returns how to end that. */
  onError(listener: ErrorListener): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** `attempt`: what failed, such as `cannot list pods`. */
  failed(attempt: string, error: Error): void {
    this.error = error;
    if (this.reported.has(error.message)) return;
    this.reported.add(error.message);
    if (this.listeners.size === 0) this.logger.warn(`${attempt}: ${error.message}`, { hint: hintOf(error) });
    for (const listener of this.listeners) this.call(listener, error);
  }

  /** The server answers. */
  connected(): void {
    this.error = undefined;
  }

  /** What has failed works again, so that it is worth a word when it fails anew. */
  recovered(): void {
    this.error = undefined;
    if (this.reported.size === 0) return;
    this.reported.clear();
    this.logger.info('up to date with the server again');
  }

  private call(listener: ErrorListener, error: Error): void {
    try {
      listener(error);
    } catch (err) {
      this.logger.error('an error listener failed', { err });
    }
  }
}

function hintOf(error: Error): unknown {
  return 'hint' in error ? error.hint : undefined;
}
