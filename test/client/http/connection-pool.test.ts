import { describe, expect, test } from '@jest/globals';
import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { ConnectionPool } from '../../../src/client/http/connection-pool.js';
import { HttpConnection } from '../../../src/client/http/http-connection.js';

/** A socket that responds to each request when the test calls it. */
class FakeSocket extends Duplex {
  readonly ref = () => this;
  readonly unref = () => this;

  answer(): void {
    this.push('HTTP/1.1 204 X\r\n\r\n');
  }

  override _read(): void {}

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

function setUp(options: { maxConnections?: number } = {}) {
  const clock = new FakeClock();
  const sockets: FakeSocket[] = [];
  const dial = async (): Promise<HttpConnection> => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return new HttpConnection(socket as unknown as Socket);
  };
  return { clock, sockets, pool: new ConnectionPool(dial, { clock, ...options }) };
}

/** Does one exchange on a connection; resolves when it is over. */
async function exchange(connection: HttpConnection, socket: FakeSocket | undefined): Promise<void> {
  const over = new Promise<void>((resolve, reject) => {
    const ignore = () => undefined;
    connection.exchange('GET', 'x', { onHead: ignore, onBody: ignore, onEnd: resolve, onError: reject });
  });
  socket?.answer();
  await over;
}

describe('ConnectionPool', () => {
  test('an idle connection is used again', async () => {
    const { pool, sockets } = setUp();
    const first = await pool.acquire().connection;
    await exchange(first, sockets[0]);
    expect(pool.take()).toBe(first);
    expect(pool.take()).toBeUndefined();
  });

  test('a connection that was idle for a minute is not used again', async () => {
    const { pool, sockets, clock } = setUp();
    await exchange(await pool.acquire().connection, sockets[0]);
    await clock.advance(60_001);
    expect(pool.take()).toBeUndefined();
    expect(sockets[0]?.destroyed).toBe(true);
  });

  test('a connection that is older than five minutes is closed after its exchange', async () => {
    const { pool, sockets, clock } = setUp();
    const connection = await pool.acquire().connection;
    await clock.advance(300_001);
    await exchange(connection, sockets[0]);
    expect(pool.take()).toBeUndefined();
  });

  test('a request waits for the first free connection when all are busy', async () => {
    const { pool, sockets } = setUp({ maxConnections: 1 });
    const first = await pool.acquire().connection;
    const second = pool.acquire();
    await exchange(first, sockets[0]);
    expect(await second.connection).toBe(first);
    expect(sockets).toHaveLength(1);
  });

  test('a waiting request gets a new connection when a busy one is lost', async () => {
    const { pool } = setUp({ maxConnections: 1 });
    const first = await pool.acquire().connection;
    const second = pool.acquire();
    first.destroy();
    expect(await second.connection).not.toBe(first);
  });

  test('a request that stops waiting takes no connection', async () => {
    const { pool, sockets } = setUp({ maxConnections: 1 });
    const first = await pool.acquire().connection;
    const second = pool.acquire();
    second.cancel(new Error('enough'));
    await expect(second.connection).rejects.toThrow('enough');
    await exchange(first, sockets[0]);
    expect(pool.take()).toBe(first);
  });

  test('a failed dial rejects one waiting request, and the next dial is tried', async () => {
    const errors = [new Error('refused')];
    const dial = async (): Promise<HttpConnection> => {
      const error = errors.pop();
      if (error) throw error;
      return new HttpConnection(new FakeSocket() as unknown as Socket);
    };
    const pool = new ConnectionPool(dial, { clock: new FakeClock() });
    await expect(pool.acquire().connection).rejects.toThrow('refused');
    expect(await pool.acquire().connection).toBeInstanceOf(HttpConnection);
  });

  test('retiring a pool closes idle connections immediately and busy ones after their exchange', async () => {
    const { pool, sockets } = setUp();
    const busy = await pool.acquire().connection;
    await exchange(await pool.acquire().connection, sockets[1]);
    pool.retire();
    expect(sockets.map((socket) => socket.destroyed)).toEqual([false, true]);
    await exchange(busy, sockets[0]);
    expect(sockets[0]?.destroyed).toBe(true);
  });

  test('a connection that was being opened when the pool was retired is closed after its exchange', async () => {
    const { pool, sockets } = setUp();
    const pending = pool.acquire();
    pool.retire();
    await exchange(await pending.connection, sockets[0]);
    expect(sockets[0]?.destroyed).toBe(true);
    expect(pool.take()).toBeUndefined();
  });

  test('closing a pool closes all connections and rejects waiting and later requests', async () => {
    const { pool, sockets } = setUp({ maxConnections: 1 });
    await pool.acquire().connection;
    const waiting = pool.acquire();
    pool.close(new Error('closed'));
    await expect(waiting.connection).rejects.toThrow('closed');
    await expect(pool.acquire().connection).rejects.toThrow('closed');
    expect(sockets[0]?.destroyed).toBe(true);
  });

  test('bytes without a request close the connection', async () => {
    const { pool, sockets } = setUp();
    await exchange(await pool.acquire().connection, sockets[0]);
    sockets[0]?.answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(pool.take()).toBeUndefined();
  });
});
