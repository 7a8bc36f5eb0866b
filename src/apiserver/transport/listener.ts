import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer, type ServerOptions } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { KeyCertificate } from './certificate.js';

/** Default of Go's server: selectors of a URL may be long. */
const MAX_HEADER_BYTES = 1 << 20;

export type RequestListener = (message: IncomingMessage, response: ServerResponse) => void;

/** HTTPS on the loopback address, and nowhere else. */
export class Listener {
  private readonly server: Server;
  /** Made for the first connection: TLS takes 6 MB, which a server that waits can do without. */
  private https: HttpsServer | undefined;
  /** Those too that have not said hello yet. */
  private readonly sockets = new Set<Socket>();

  /** @param clientAuthorities those of the clients' certificates, in PEM; without any clients are not asked for one */
  constructor(identity: KeyCertificate, clientAuthorities: readonly string[], onRequest: RequestListener) {
    this.server = createServer({ noDelay: true }, (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      this.https ??= httpsServer(identity, clientAuthorities, onRequest);
      this.https.emit('connection', socket);
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
    this.https?.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

function httpsServer(
  identity: KeyCertificate,
  clientAuthorities: readonly string[],
  onRequest: RequestListener,
): HttpsServer {
  const options: ServerOptions = {
    key: identity.keyPem,
    cert: identity.certPem,
    // Whoever has no certificate, or a foreign one, may still have a token.
    ...(clientAuthorities.length > 0 && {
      requestCert: true,
      rejectUnauthorized: false,
      ca: [...clientAuthorities],
      allowPartialTrustChain: true,
    }),
    minVersion: 'TLSv1.2',
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: 180_000,
  };
  const server = createHttpsServer(options, onRequest);
  server.requestTimeout = 0; // watches last
  server.emit('listening'); // from then on it hangs up on those who never end their headers
  // Others hang up or do not trust us; they know why.
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_SSL_HTTP_REQUEST') refusePlainHttp(socket);
  });
  return server;
}

/** In the words of Go's server: net/http/server.go. The raw socket is where the TLS of this one would have gone. */
function refusePlainHttp(socket: TLSSocket): void {
  const { _parent: raw } = socket as TLSSocket & { readonly _parent?: Socket };
  raw?.end('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
}
