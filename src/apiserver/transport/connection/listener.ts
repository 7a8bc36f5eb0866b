import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { KeyCertificate } from '../../../pki/certificate.js';
import type { RequestListener } from './upgrade.js';
import { SecureServer } from './secure-server.js';

/** HTTPS on the loopback address, and nowhere else. */
export class Listener {
  private readonly server: Server;
  /** Made for the first connection: TLS takes 6 MB, which a server that waits can do without. */
  private secure: SecureServer | undefined;
  /** Those too that have not said hello yet. */
  private readonly sockets = new Set<Socket>();

  /** @param clientAuthorities those of the clients' certificates, in PEM; without any clients are not asked for one */
  constructor(identity: KeyCertificate, clientAuthorities: readonly string[], onRequest: RequestListener) {
    this.server = createServer({ noDelay: true }, (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      this.secure ??= new SecureServer(identity, clientAuthorities, onRequest);
      this.secure.accept(socket);
    });
  }

  /** Listens; resolves to the port. */
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
