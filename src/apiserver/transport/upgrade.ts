import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { requestInfo } from '../../api/request-info.js';
import { requestTarget } from './request-target.js';
import { isWebSocketRequest } from './web-socket-handshake.js';
import type { RequestListener } from './request-listener.js';

/** Whether a connection may be given up for a request: of what can be watched by WebSocket, nothing else is read. */
export function isWatchByWebSocket(message: IncomingMessage): boolean {
  const { path, query } = requestTarget(message.url);
  return isWebSocketRequest(message) && requestInfo(message.method ?? 'GET', path, query).verb === 'watch';
}

/** Has a request answered whose connection is no longer HTTP's: its last one, whatever comes of it. */
export function onUpgrade(message: IncomingMessage, socket: Socket, head: Buffer, onRequest: RequestListener): void {
  socket.on('error', () => undefined); // clients hang up
  if (head.length > 0) socket.unshift(head);
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    socket.destroySoon();
  });
  onRequest(message, response);
}
