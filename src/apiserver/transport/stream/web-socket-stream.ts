import { createRequire } from 'node:module';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket, WebSocketServer } from 'ws';
import type { EventStream } from './event-stream.js';
import { handshakeRefusal } from './web-socket-handshake.js';

const load = createRequire(import.meta.url);

/** The length prefix of protobuf frames, which WebSocket messages do not need. */
const LENGTH_BYTES = 4;
/** Clients send only control messages. */
const MAX_MESSAGE_BYTES = 64 * 1024;
const NORMAL_CLOSURE = 1000;

let handshakes: WebSocketServer | undefined;

/** Created for the first WebSocket. */
function webSocketServer(): WebSocketServer {
  const { WebSocketServer: Server } = load('ws') as { WebSocketServer: typeof WebSocketServer };
  return new Server({ noServer: true, clientTracking: false, maxPayload: MAX_MESSAGE_BYTES });
}

/** Streams events as WebSocket messages: text messages for JSON, otherwise binary. */
export class WebSocketStream implements EventStream {
  private readonly socket: Socket;
  private isText = true;
  private webSocket: WebSocket | undefined;

  constructor(
    private readonly message: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.socket = message.socket;
  }

  begin(contentType: string, onClose: () => void): void {
    this.isText = contentType === 'application/json';
    const refusal = handshakeRefusal(this.message);
    this.response.statusCode = refusal?.code ?? 101; // for metrics and audit
    this.socket.on('close', onClose);
    if (refusal) {
      this.socket.end(refusal.text);
      onClose();
      return;
    }
    handshakes ??= webSocketServer();
    handshakes.handleUpgrade(this.message, this.socket, Buffer.alloc(0), (webSocket) => {
      this.webSocket = webSocket;
      webSocket.on('close', onClose);
      webSocket.on('error', onClose); // ws closes the connection on protocol errors
    });
  }

  write(events: readonly Buffer[], onDrain: () => void): boolean {
    this.socket.cork();
    for (const event of events)
      this.webSocket?.send(this.isText ? event : event.subarray(LENGTH_BYTES), { binary: !this.isText });
    this.socket.uncork();
    if (this.socket.writableNeedDrain) this.socket.once('drain', onDrain);
    return !this.socket.writableNeedDrain;
  }

  end(): void {
    this.webSocket?.close(NORMAL_CLOSURE);
    this.socket.destroySoon(); // without waiting for the client's close frame
  }

  abort(): void {
    this.socket.destroy();
  }
}
