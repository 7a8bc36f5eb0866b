import type { Clock } from '../../base/clock.js';
import type { HttpConnection } from './http-connection.js';

export interface ConnectionPoolOptions {
  readonly clock: Clock;
  /** How many exchanges may be under way at once; more wait their turn. Watches do not count. */
  readonly maxConnections?: number;
  /** A connection that was idle for longer is not used again: API servers close theirs after 90 s. */
  readonly idleMs?: number;
}

/** A wait for a connection. */
export interface PendingConnection {
  readonly connection: Promise<HttpConnection>;
  cancel(error: Error): void;
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
/** Then certificates and addresses that have changed are taken up by everything within that time. */
const MAX_AGE_MS = 300_000;

/** Keep-alive connections to one server: the one used last is used first, so that the others can go. */
export class ConnectionPool {
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

  /** An idle connection, if there is one: the ordinary case, without a promise. */
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

  /** A connection as soon as one is free or made; rejects when the dial fails or the wait is given up. */
  acquire(): PendingConnection {
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

  /** Ends what is idle, and what is busy as soon as it no longer is: for new credentials, or a network that is lost. */
  retire(): void {
    this.generation++;
    const idle = this.idle;
    this.idle = [];
    for (const { connection } of idle) connection.destroy();
  }

  /** Ends all connections and refuses further ones with `error`. */
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
    try {
      const connection = await this.dial();
      this.dialing--;
      this.adopt(connection);
    } catch (error) {
      this.dialing--;
      this.waiters.shift()?.reject(error as Error);
      this.dialForWaiters();
    }
  }

  private adopt(connection: HttpConnection): void {
    const { generation } = this;
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
