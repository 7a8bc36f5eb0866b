import type { Clock } from '../../base/clock.js';
import type { ClientConnection, HttpConnection } from './http-connection.js';

export interface ConnectionPoolOptions {
  readonly clock: Clock;
  /** Maximum number of concurrent exchanges; further ones wait. Watches use a pool without a limit. */
  readonly maxConnections?: number;
  /** Maximum idle time before reuse. API servers close idle connections after 90 s. */
  readonly idleMs?: number;
}

/** A connection that is not yet available. */
export interface PendingConnection<C extends ClientConnection = ClientConnection> {
  readonly connection: Promise<C>;
  cancel(error: Error): void;
}

/** The connections to one server. */
export interface Connections {
  /** Returns a connection that is available now, if any. */
  take(): ClientConnection | undefined;
  /** Waits for a free or new connection. */
  acquire(): PendingConnection;
  /** Closes the connections that have been idle since the given time. */
  retireUnused(sinceMs: number): void;
  /** Closes idle connections now and busy ones after their exchange. */
  retire(): void;
  /** Closes all connections with an error. */
  close(error: Error): void;
}

interface Waiter {
  resolve(connection: HttpConnection): void;
  reject(error: Error): void;
}

interface Idle {
  readonly connection: HttpConnection;
  readonly sinceMs: number;
}

const DEFAULT_MAX_CONNECTIONS = 64;
const DEFAULT_IDLE_MS = 60_000;
/** Maximum age of a connection at reuse, so that new certificates and addresses take effect. */
const MAX_AGE_MS = 300_000;

/** Keep-alive connections to one server. The most recently used is reused first, so that the others can expire. */
export class ConnectionPool implements Connections {
  private idle: Idle[] = [];
  private readonly busy = new Set<HttpConnection>();
  private readonly waiters: Waiter[] = [];
  private readonly maxConnections: number;
  private readonly idleMs: number;
  private dialing = 0;
  private generation = 0;
  private closed: Error | undefined;

  constructor(
    private readonly dial: () => Promise<HttpConnection>,
    private readonly options: ConnectionPoolOptions,
  ) {
    this.maxConnections = options.maxConnections ?? DEFAULT_MAX_CONNECTIONS;
    this.idleMs = options.idleMs ?? DEFAULT_IDLE_MS;
  }

  /** Returns an idle connection, if any. This is the common case and needs no promise. */
  take(): HttpConnection | undefined {
    const oldest = this.options.clock.monotonic() - this.idleMs;
    for (let last = this.idle.pop(); last; last = this.idle.pop()) {
      if (last.sinceMs >= oldest && last.connection.isUsable) {
        this.busy.add(last.connection);
        return last.connection;
      }
      last.connection.destroy();
    }
    return undefined;
  }

  /** Waits for a free or new connection. Rejects if the dial fails or the wait is canceled. */
  acquire(): PendingConnection<HttpConnection> {
    let give: Waiter | undefined;
    const connection = new Promise<HttpConnection>((resolve, reject) => {
      give = { resolve, reject };
      if (this.closed) reject(this.closed);
      else this.waiters.push(give);
    });
    this.dialForWaiters();
    return {
      connection,
      cancel: (error) => {
        const at = give ? this.waiters.indexOf(give) : -1;
        if (at >= 0) this.waiters.splice(at, 1);
        give?.reject(error);
      },
    };
  }

  /** Closes idle connections now and busy ones after their exchange: for new credentials or after a dead watch. */
  retire(): void {
    this.generation++;
    const idle = this.idle;
    this.idle = [];
    for (const { connection } of idle) connection.destroy();
  }

  /**
   * Closes the connections that have been idle since the given time, after a request of that time was not answered:
   * they may be dead too. A connection with a later response is alive.
   */
  retireUnused(sinceMs: number): void {
    const unused = this.idle.filter((entry) => entry.sinceMs <= sinceMs);
    this.idle = this.idle.filter((entry) => entry.sinceMs > sinceMs);
    for (const { connection } of unused) connection.destroy();
  }

  /** Closes all connections. Pending and further requests for a connection reject with `error`. */
  close(error: Error): void {
    this.closed = error;
    this.retire();
    for (const connection of [...this.busy]) connection.destroy(error);
    for (const waiter of this.waiters.splice(0)) waiter.reject(error);
  }

  private dialForWaiters(): void {
    const wanted = Math.min(this.waiters.length, this.maxConnections - this.busy.size);
    while (this.dialing < wanted) void this.dialOne();
  }

  private async dialOne(): Promise<void> {
    this.dialing++;
    const { generation } = this;
    try {
      const connection = await this.dial();
      this.dialing--;
      this.adopt(connection, generation);
    } catch (error) {
      this.dialing--;
      this.waiters.shift()?.reject(error as Error);
      this.dialForWaiters();
    }
  }

  /** @param generation the generation when the dial began: certificates may have changed since */
  private adopt(connection: HttpConnection, generation: number): void {
    const { clock } = this.options;
    const bornAtMs = clock.monotonic();
    connection.onClose = () => {
      this.busy.delete(connection);
      this.idle = this.idle.filter((entry) => entry.connection !== connection);
      this.dialForWaiters();
    };
    connection.onIdle = () => {
      this.busy.delete(connection);
      const isOld = generation !== this.generation || clock.monotonic() - bornAtMs > MAX_AGE_MS;
      if (isOld) connection.destroy();
      else this.offer(connection);
    };
    if (this.closed) connection.destroy();
    else this.offer(connection);
  }

  private offer(connection: HttpConnection): void {
    const waiter = this.waiters.shift();
    if (!waiter) {
      this.idle.push({ connection, sinceMs: this.options.clock.monotonic() });
      return;
    }
    this.busy.add(connection);
    waiter.resolve(connection);
  }
}
