import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const [LOWEST, SHARES, SHARE] = [20_000, 750, 16];
let given = randomInt(SHARE);

/**
 * A loopback port that nothing listens on.
 *
 * Each process has a share of its own, and gives one after the other: what listens there may come a while later.
 * All lie below the range from which the system takes ports of outgoing connections: a client that tries a stopped
 * server again and again would otherwise end up connected to itself, and the server could not start any more.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + (process.pid % SHARES) * SHARE + (given++ % SHARE);
    if (await isFree(port)) return port;
  }
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
