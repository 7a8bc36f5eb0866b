import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { requestInfo } from '../../../api/request-info.js';
import { requestTarget } from '../request/request-target.js';
import { isWebSocketRequest } from '../stream/web-socket-handshake.js';

/** Answers requests, of HTTP/2 too: these come in the forms of HTTP/1. */
export type RequestListener = (message: IncomingMessage, response: ServerResponse) => void;

/** Whether a connection may be given up for a request: of what can be watched by WebSocket, nothing else is read. */
export function isWatchByWebSocket(message: IncomingMessage): boolean {
  const { path, query } = requestTarget(message.url);
  return isWebSocketRequest(message) && requestInfo(message.method ?? 'GET', path, query).verb === 'watch';
}

/**
 * Has a request answered that Node has given its connection up for.
 *
 * @param goOn gives it back, when the answer was none of WebSocket's
 */
export function onUpgrade(
  message: IncomingMessage,
  socket: Socket,
  head: Buffer,
  { onRequest, goOn }: { readonly onRequest: RequestListener; readonly goOn: () => void },
): void {
  const onError = (): void => undefined; // clients hang up
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
