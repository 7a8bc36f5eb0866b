import type { IncomingMessage } from 'node:http';

const VERSION = '13';

/** Returns whether a client requests an upgrade to WebSocket. */
export function isWebSocketRequest({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && /upgrade/i.test(headers.connection ?? '');
}

/** Returns the subprotocols that a client offers. */
export function subprotocolsOf({ headers }: IncomingMessage): string[] {
  const header = (headers['sec-websocket-protocol'] ?? '').trim();
  return header === '' ? [] : header.split(',').map((name) => name.trim());
}

/** An HTTP response written directly to a connection that Node has handed over. */
interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** Returns the handshake errors of golang.org/x/net/websocket, which requires an Origin and at most one subprotocol. */
export function handshakeRefusal(message: IncomingMessage): Refusal | undefined {
  const { 'sec-websocket-key': key = '', 'sec-websocket-version': version, origin = '' } = message.headers;
  if (key === '') return refusal(400, 'Bad Request', '', 'mismatch challenge/response');
  if (version !== VERSION)
    return refusal(400, 'Bad Request', `Sec-WebSocket-Version: ${VERSION}\r\n`, 'missing or bad WebSocket Version');
  if (origin === '') return refusal(403, 'Forbidden');
  return subprotocolsOf(message).length > 1 ? refusal(400, 'Bad Request') : undefined;
}

function refusal(code: number, reason: string, headers = '', body = ''): Refusal {
  return { code, text: `HTTP/1.1 ${code} ${reason}\r\n${headers}\r\n${body}` };
}
