import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Logger } from '../base/logger.js';

/** Closes connections of clients without a certificate of the server's `ca`, and logs each reason once. */
export function requireClientCertificates(server: Server, logger: Logger): void {
  const logged = new Set<string>();
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.authorized) return;
    socket.destroy();
    // Node states a code where its types have an Error.
    const reason = String(socket.authorizationError);
    if (logged.has(reason)) return;
    logged.add(reason);
    logger.warn('a client of the webhooks was rejected: it has no certificate of the client CA', {
      reason,
      hint: 'if it was an API server: its --admission-control-config-file must name a kubeconfig with a client certificate',
    });
  });
}
