import { once } from 'node:events';
import { createServer } from 'node:net';

const [LOWEST, HIGHEST] = [20_000, 32_000];

/**
 * A loopback port that nothing listens on.
 *
 * It lies below the range from which the system takes ports of outgoing connections: a client that tries a stopped
 * server again and again would otherwise end up connected to itself, and the server could not start any more.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
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
