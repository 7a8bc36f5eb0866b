import type { IncomingMessage } from 'node:http';
import { unauthorized } from '../errors/status-error.js';
import { isWebSocketRequest, subprotocolsOf } from '../transport/web-socket-handshake.js';

const PREFIX = 'base64url.bearer.authorization.k8s.io.';

/**
 * The token that browsers, which cannot set headers for a WebSocket, give as one of the subprotocols they offer. It is
 * none to agree on: the request goes on without it.
 */
export function webSocketToken(message: IncomingMessage): string | undefined {
  if (!isWebSocketRequest(message)) return undefined;
  const offered = subprotocolsOf(message);
  const [encoded, ...more] = offered.filter((name) => name.startsWith(PREFIX));
  if (encoded === undefined) return undefined;
  const others = offered.filter((name) => !name.startsWith(PREFIX));
  const token = Buffer.from(encoded.slice(PREFIX.length), 'base64url').toString();
  // One has to be left to answer with.
  if (more.length > 0 || others.length === 0) throw unauthorized();
  message.headers['sec-websocket-protocol'] = others.join(',');
  return token;
}
