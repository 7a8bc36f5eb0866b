import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { Http2Server } from 'node:http2';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer, type TlsOptions, type TLSSocket } from 'node:tls';
import type { KeyCertificate } from '../../../pki/certificate.js';
import { http2Server, MAX_HEADER_BYTES } from './http2-server.js';
import { isWatchByWebSocket, onUpgrade, type RequestListener } from './upgrade.js';
import { isTrustedClient } from './trusted-client.js';

/** The ReadHeaderTimeout of kube-apiserver, which includes the TLS handshake. */
const HANDSHAKE_TIMEOUT_MS = 32_000;
export const IDLE_MS = 180_000;

/** Serves TLS connections: HTTP/2 for clients that negotiate it, otherwise HTTP/1.1. */
export class SecureServer {
  private readonly tls: TlsServer;
  private readonly http1: HttpServer;
  private http2: Http2Server | undefined;

  /** @param clientAuthorities PEM certificates of the CAs for client certificates; if empty, none are requested */
  constructor(
    identity: KeyCertificate,
    clientAuthorities: readonly string[],
    onRequest: RequestListener,
    idleMs: number,
  ) {
    const http1 = {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: idleMs,
      shouldUpgradeCallback: isWatchByWebSocket,
    };
    this.http1 = createHttpServer(http1, onRequest);
    this.http1.on('upgrade', (message, socket: Socket, head: Buffer) => {
      onUpgrade(message, socket, head, { onRequest, goOn: () => this.http1.emit('connection', socket) });
    });
    this.http1.requestTimeout = 0; // watches are long
    this.http1.emit('listening'); // starts Node's check for connections that do not complete their headers
    const options: TlsOptions = {
      key: identity.keyPem,
      cert: identity.certPem,
      // Clients without a certificate, or with an untrusted one, can still authenticate with a token.
      ...(clientAuthorities.length > 0 && {
        requestCert: true,
        rejectUnauthorized: false,
        ca: [...clientAuthorities],
        allowPartialTrustChain: true,
      }),
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      ALPNProtocols: ['h2', 'http/1.1'],
    };
    this.tls = createTlsServer(options, (socket) => {
      socket.authorized = isTrustedClient(socket, clientAuthorities);
      const chosen = socket.alpnProtocol === 'h2' ? (this.http2 ??= http2Server(onRequest, idleMs)) : this.http1;
      chosen.emit('connection', socket);
    });
    // Other errors are disconnects or rejections by the client and need no response.
    this.tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code === 'ERR_SSL_HTTP_REQUEST') refusePlainHttp(socket);
      if (error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') socket.destroy();
    });
  }

  accept(socket: Socket): void {
    this.tls.emit('connection', socket);
  }

  /** Stops the servers. The caller ends the connections. */
  close(): void {
    this.tls.close();
    this.http1.close();
    this.http2?.close();
  }
}

/** Responds with the message of Go's server (net/http/server.go), on the raw socket below TLS. */
function refusePlainHttp(socket: TLSSocket): void {
  const { _parent: raw } = socket as TLSSocket & { readonly _parent?: Socket };
  raw?.end('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
}
