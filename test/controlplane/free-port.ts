import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const [LOWEST, SHARES, SHARE] = [20_000, 200, 60];
/** What listens at a port is started within this time. */
const RESERVED_MS = 60_000;
const reservedUntil = new Map<number, number>();
let next = randomInt(SHARE);

/**
 * A loopback port that nothing listens on.
 *
 * Each process has a share of its own, and gives a port again after a minute at the earliest: what listens there may come
 * a while later, and most ports of the process of a pool are in use.
 * All lie below the range from which the system takes ports of outgoing connections: a client that tries a stopped
 * server again and again would otherwise end up connected to itself, and the server could not start any more.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 2 * SHARE; tries++) {
    const port = LOWEST + (process.pid % SHARES) * SHARE + (next++ % SHARE);
    const now = performance.now();
    // If all are reserved, it is likely that the first ones will not be used.
    if (tries < SHARE && (reservedUntil.get(port) ?? 0) > now) continue;
    reservedUntil.set(port, now + RESERVED_MS);
    if (await isFree(port)) return port;
  }
  throw new Error(`all ${String(SHARE)} ports of this process are in use`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
