import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { requestInfo } from '../../../api/access/request-info.js';
import { requestTarget } from '../request/request-target.js';
import { isWebSocketRequest } from '../stream/web-socket-handshake.js';

/** Handles requests of HTTP/1 and HTTP/2, the latter in the form of HTTP/1 requests. */
export type RequestListener = (message: IncomingMessage, response: ServerResponse) => void;

/** Returns whether Node should hand over the connection of a request: only for watches over WebSocket. */
export function isWatchByWebSocket(message: IncomingMessage): boolean {
  const { path, query } = requestTarget(message.url);
  return isWebSocketRequest(message) && requestInfo(message.method ?? 'GET', path, query).verb === 'watch';
}

/**
 * Handles a request on a connection that Node has handed over.
 * @param goOn returns the connection to Node after a response other than a WebSocket handshake
 */
export function onUpgrade(
  message: IncomingMessage,
  socket: Socket,
  head: Buffer,
  { onRequest, goOn }: { readonly onRequest: RequestListener; readonly goOn: () => void },
): void {
  const onError = (): void => undefined; // the client disconnected
  socket.on('error', onError);
  if (head.length > 0) socket.unshift(head);
  const response = new ServerResponse(message);
  response.shouldKeepAlive = !/close/i.test(message.headers.connection ?? '');
  response.assignSocket(socket);
  response.once('finish', () => {
    if (!response.shouldKeepAlive) {
      socket.destroySoon();
      return;
    }
    response.detachSocket(socket);
    socket.off('error', onError);
    goOn();
  });
  onRequest(message, response);
}
