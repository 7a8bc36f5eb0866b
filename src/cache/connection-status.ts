import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { thrownError } from '../base/thrown-error.js';
import { ApiError, NotFoundError } from '../client/api-error.js';
import { ConnectionError } from '../client/connection-error.js';
import { WatchError } from '../client/watch-error.js';

/** A failure that lasts is reported again after this time, so that the recent log shows it. */
const REPEAT_MS = 300_000;
/** Different errors reported in this time, or until the connection recovers. */
const MOST_REPORTED = 10;

/** Called with each new error of a connection. */
export type ErrorListener = (error: Error) => void;

/** The state of a reflector's connection. Each problem is reported once in five minutes, not at each retry. */
export class ConnectionStatus {
  private error: Error | undefined;
  private readonly reported = new Set<string>();
  private reportedSince = 0;
  private readonly listeners = new Set<ErrorListener>();
  private readonly interruptionListeners = new Set<() => void>();
  private readonly servedListeners = new Set<() => void>();
  private hasNoKind = false;

  constructor(
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {}

  /** The reason why the connection failed; undefined while connected. */
  get lastError(): Error | undefined {
    return this.error;
  }

  /** True after a 404 for the kind, until the server responds to a list or watch of it; other errors do not change this. */
  get isUnserved(): boolean {
    return this.hasNoKind;
  }

  /** Calls the listener when `isUnserved` has changed. Returns an unsubscribe function. */
  onServedChange(listener: () => void): () => void {
    this.servedListeners.add(listener);
    return () => {
      this.servedListeners.delete(listener);
    };
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
    if (error instanceof NotFoundError) this.setUnserved(true);
    const now = this.clock.monotonic();
    if (this.reported.size === 0 || now - this.reportedSince >= REPEAT_MS) {
      this.reported.clear();
      this.reportedSince = now;
    }
    const kind = kindOf(error);
    if (this.reported.has(kind) || this.reported.size >= MOST_REPORTED) return;
    this.reported.add(kind);
    if (this.listeners.size === 0) this.logger.warn(`${attempt}: ${error.message}`, { hint: hintOf(error) });
    for (const listener of this.listeners) this.call(listener, error);
  }

  /** Calls the listener each time a watch ends early, whether or not its error is reported. Returns an unsubscribe function. */
  onInterrupted(listener: () => void): () => void {
    this.interruptionListeners.add(listener);
    return () => {
      this.interruptionListeners.delete(listener);
    };
  }

  /** Reports that a watch has failed, or has ended before its time. */
  interrupted(): void {
    for (const listener of this.interruptionListeners) listener();
  }

  /** Reports that the server responded. */
  connected(): void {
    this.error = undefined;
    this.setUnserved(false);
  }

  /** Reports that the failed operation succeeded, so that its next failure is reported again. */
  recovered(): void {
    this.connected();
    if (this.reported.size === 0) return;
    this.reported.clear();
    this.logger.info('watch re-established');
  }

  private setUnserved(isUnserved: boolean): void {
    if (this.hasNoKind === isUnserved) return;
    this.hasNoKind = isUnserved;
    for (const listener of this.servedListeners) listener();
  }

  private call(listener: ErrorListener, error: Error): void {
    try {
      listener(error);
    } catch (thrown) {
      this.logger.error('an error listener failed', { err: thrownError(thrown) });
    }
  }
}

/** Errors of one kind may have another text each time, such as the request ID in the page of a proxy. */
function kindOf(error: Error): string {
  if (error instanceof ApiError) return `${String(error.status)} ${error.reason}`;
  if (error instanceof ConnectionError || error instanceof WatchError) return `${error.name} ${error.reason}`;
  return error.message;
}

function hintOf(error: Error): unknown {
  return 'hint' in error ? error.hint : undefined;
}
