import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { KeyCertificate } from '../../../pki/certificate.js';
import type { RequestListener } from './upgrade.js';
import { IDLE_MS, SecureServer } from './secure-server.js';

/** An HTTPS listener on the loopback address. */
export class Listener {
  private readonly server: Server;
  /** Created for the first connection, since TLS takes 6 MB of memory. */
  private secure: SecureServer | undefined;
  /** All open sockets, including those that have not started TLS. */
  private readonly sockets = new Set<Socket>();

  /**
   * @param clientAuthorities PEM certificates of the CAs for client certificates; if empty, none are requested
   * @param idleMs how long a connection may have no request
   */
  constructor(
    identity: KeyCertificate,
    clientAuthorities: readonly string[],
    onRequest: RequestListener,
    idleMs = IDLE_MS,
  ) {
    this.server = createServer({ noDelay: true }, (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      this.secure ??= new SecureServer(identity, clientAuthorities, onRequest, idleMs);
      this.secure.accept(socket);
    });
  }

  /** Starts listening and resolves to the port. */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
    this.secure?.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
