import type { Clock } from '../../base/clock.js';
import { scheduleAfterPoll } from '../../base/schedule-after-poll.js';
import { toConnectionError } from '../connection-error.js';
import type { Connections, PendingConnection } from './connection-pool.js';
import type { ClientConnection, ExchangeHandler } from './http-connection.js';
import type { ResponseHead } from './response-head.js';

export interface CallOptions {
  readonly method: string;
  /** The host of the server, for messages. */
  readonly host: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for a connection, and then for the response. */
  readonly timeoutMs: number;
  /** Called before the request is written; may throw to prevent that. */
  readonly beforeSend?: (() => void) | undefined;
  /** True if the timeout applies until a response starts with status 200, not until it is complete. */
  readonly isStream: boolean;
  /** Creates the error of a timeout: there was no connection, or no response. */
  readonly onTimeout: (missing: 'connection' | 'response') => Error;
}

/** Receives a response. An error thrown by a method ends the call, which rejects with that error. */
export interface CallReceiver {
  onHead(head: ResponseHead, flow: StreamFlow): void;
  onBody(bytes: Buffer): void;
}

/** Controls the flow of a response. */
export interface StreamFlow {
  pause(): void;
  resume(): void;
  /** Ends the call with an error. */
  abort(error: Error): void;
}

/**
 * One pending request: from the wait for a connection to the end of the response.
 *
 * Rejects with a ConnectionError for errors of the connection, and with the signal's reason and errors of the receiver
 * unchanged.
 */
export class Call implements ExchangeHandler, StreamFlow {
  private resolve: () => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;
  private cancelTimeout: () => void = () => undefined;
  private pending: PendingConnection | undefined;
  private connection: ClientConnection | undefined;
  private isSettled = false;
  private failure: Error | undefined;
  /** Contains credentials. A private field, which `util.inspect` does not print; cleared after it is sent. */
  #message: string;

  /** @param message the head and body to write to the connection */
  constructor(
    private readonly pool: Connections,
    private readonly receiver: CallReceiver,
    message: string,
    private readonly options: CallOptions,
  ) {
    this.#message = message;
  }

  /** Resolves when the response is complete. */
  run(): Promise<void> {
    const { signal } = this.options;
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      if (signal?.aborted) {
        this.settle(signal.reason as Error);
        return;
      }
      signal?.addEventListener('abort', this.onAbort, { once: true });
      this.connect();
    });
  }

  pause(): void {
    this.connection?.pause();
  }

  resume(): void {
    this.connection?.resume();
  }

  abort(error: Error): void {
    this.failure ??= error;
    if (this.connection) this.connection.destroy(error);
    else if (this.pending) this.pending.cancel(error);
  }

  onHead(head: ResponseHead): void {
    if (this.options.isStream && head.status === 200) this.cancelTimeout();
    try {
      this.receiver.onHead(head, this);
    } catch (error) {
      throw this.failed(error);
    }
  }

  onBody(bytes: Buffer): void {
    try {
      this.receiver.onBody(bytes);
    } catch (error) {
      throw this.failed(error);
    }
  }

  onEnd(): void {
    this.settle(undefined);
  }

  onError(error: Error): void {
    this.settle(this.failure ?? toConnectionError(error, this.options.host));
  }

  private failed(error: unknown): Error {
    this.failure ??= error as Error;
    return this.failure;
  }

  private readonly onAbort = (): void => {
    this.abort(this.options.signal?.reason as Error);
  };

  private connect(): void {
    const idle = this.pool.take();
    if (idle) {
      this.begin(idle);
      return;
    }
    const { clock, timeoutMs, onTimeout } = this.options;
    this.cancelTimeout = clock.schedule(timeoutMs, () => {
      this.abort(onTimeout('connection'));
    });
    this.pending = this.pool.acquire();
    this.pending.connection.then(
      (connection) => {
        if (this.failure) connection.onIdle();
        else this.begin(connection);
        if (this.failure) this.settle(this.failure);
      },
      (error: unknown) => {
        this.settle(error as Error);
      },
    );
  }

  private begin(connection: ClientConnection): void {
    const { method, beforeSend } = this.options;
    const message = this.#message;
    this.#message = '';
    try {
      beforeSend?.();
    } catch (error) {
      connection.onIdle();
      this.settle(this.failed(error));
      return;
    }
    this.connection = connection;
    this.limitResponse();
    connection.exchange(method, message, this, beforeSend && (() => this.permitsEnd(beforeSend)));
  }

  /** The wait for a connection does not count: the server has not received the request yet. */
  private limitResponse(): void {
    const { clock, timeoutMs, onTimeout } = this.options;
    const sentAtMs = clock.monotonic();
    this.cancelTimeout();
    this.cancelTimeout = scheduleAfterPoll(clock, timeoutMs, () => {
      this.pool.retireUnused(sentAtMs);
      this.abort(onTimeout('response'));
    });
  }

  private permitsEnd(beforeSend: () => void): void {
    try {
      beforeSend();
    } catch (error) {
      throw this.failed(error);
    }
  }

  private settle(error: Error | undefined): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.cancelTimeout();
    this.options.signal?.removeEventListener('abort', this.onAbort);
    if (error) this.reject(error);
    else this.resolve();
  }
}
