import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { Http2Server } from 'node:http2';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer, type TlsOptions, type TLSSocket } from 'node:tls';
import type { KeyCertificate } from '../../../pki/certificate.js';
import { http2Server, MAX_HEADER_BYTES } from './http2-server.js';
import { isWatchByWebSocket, onUpgrade, type RequestListener } from './upgrade.js';
import { isTrustedClient } from './trusted-client.js';

/** Serves connections by TLS: those of clients that speak HTTP/2, as Go's do, by that, others by HTTP/1.1. */
export class SecureServer {
  private readonly tls: TlsServer;
  private readonly http1: HttpServer;
  private http2: Http2Server | undefined;

  /** @param clientAuthorities those of the clients' certificates, in PEM; without any clients are not asked for one */
  constructor(identity: KeyCertificate, clientAuthorities: readonly string[], onRequest: RequestListener) {
    const http1 = {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: 180_000,
      shouldUpgradeCallback: isWatchByWebSocket,
    };
    this.http1 = createHttpServer(http1, onRequest);
    this.http1.on('upgrade', (message, socket: Socket, head: Buffer) => {
      onUpgrade(message, socket, head, { onRequest, goOn: () => this.http1.emit('connection', socket) });
    });
    this.http1.requestTimeout = 0; // watches last
    this.http1.emit('listening'); // from then on it hangs up on those who never end their headers
    const options: TlsOptions = {
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
      ALPNProtocols: ['h2', 'http/1.1'],
    };
    this.tls = createTlsServer(options, (socket) => {
      socket.authorized = isTrustedClient(socket, clientAuthorities);
      const chosen = socket.alpnProtocol === 'h2' ? (this.http2 ??= http2Server(onRequest)) : this.http1;
      chosen.emit('connection', socket);
    });
    // Others hang up or do not trust us; they know why.
    this.tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code === 'ERR_SSL_HTTP_REQUEST') refusePlainHttp(socket);
    });
  }

  accept(socket: Socket): void {
    this.tls.emit('connection', socket);
  }

  /** Forgets what it watches over; connections are for whoever accepted them to end. */
  close(): void {
    this.tls.close();
    this.http1.close();
    this.http2?.close();
  }
}

/** In the words of Go's server: net/http/server.go. The raw socket is where the TLS of this one would have gone. */
function refusePlainHttp(socket: TLSSocket): void {
  const { _parent: raw } = socket as TLSSocket & { readonly _parent?: Socket };
  raw?.end('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
}
