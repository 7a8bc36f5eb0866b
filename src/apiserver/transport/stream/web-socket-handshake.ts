import type { IncomingMessage } from 'node:http';

const VERSION = '13';

/** Whether a client wants to speak WebSocket from here on. */
export function isWebSocketRequest({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && /upgrade/i.test(headers.connection ?? '');
}

/** The subprotocols a client offers. */
export function subprotocolsOf({ headers }: IncomingMessage): string[] {
  const header = (headers['sec-websocket-protocol'] ?? '').trim();
  return header === '' ? [] : header.split(',').map((name) => name.trim());
}

/** A response of HTTP that is not left to Node: its connection is to be given up, or was. */
interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** What golang.org/x/net/websocket refuses, which wants an Origin and one subprotocol at most. */
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
