import type { Logger } from '../base/logger.js';

export type ErrorListener = (error: Error) => void;

/** The state of a reflector's connection. Each problem is reported once, not at each retry. */
export class ConnectionStatus {
  private error: Error | undefined;
  private readonly reported = new Set<string>();
  private readonly listeners = new Set<ErrorListener>();

  constructor(private readonly logger: Logger) {}

  /** The reason why the connection failed; undefined while connected. */
  get lastError(): Error | undefined {
    return this.error;
  }

  /** Calls the listener for each new error instead of logging it. Returns an unsubscribe function. */
  onError(listener: ErrorListener): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Reports a failure. `attempt` describes it, for example `cannot list pods`. */
  failed(attempt: string, error: Error): void {
    this.error = error;
    if (this.reported.has(error.message)) return;
    this.reported.add(error.message);
    if (this.listeners.size === 0) this.logger.warn(`${attempt}: ${error.message}`, { hint: hintOf(error) });
    for (const listener of this.listeners) this.call(listener, error);
  }

  /** Reports that the server responded. */
  connected(): void {
    this.error = undefined;
  }

  /** Reports that the failed operation succeeded, so that its next failure is reported again. */
  recovered(): void {
    this.error = undefined;
    if (this.reported.size === 0) return;
    this.reported.clear();
    this.logger.info('watch re-established');
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
