import { createRequire } from 'node:module';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket, WebSocketServer } from 'ws';
import type { EventStream } from './event-stream.js';
import { handshakeRefusal } from './web-socket-handshake.js';

const load = createRequire(import.meta.url);

/** Of protobuf, the length that frames of HTTP/1 begin with: messages of WebSocket have their own. */
const LENGTH_BYTES = 4;
/** Clients have nothing to say but that they go or want to know whether we are there. */
const MAX_MESSAGE_BYTES = 64 * 1024;
const NORMAL_CLOSURE = 1000;

let handshakes: WebSocketServer | undefined;

/** Loaded for the first WebSocket. */
function webSocketServer(): WebSocketServer {
  const { WebSocketServer: Server } = load('ws') as { WebSocketServer: typeof WebSocketServer };
  return new Server({ noServer: true, clientTracking: false, maxPayload: MAX_MESSAGE_BYTES });
}

/** Events as messages of a WebSocket: of text when they are JSON. */
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

  get backlogBytes(): number {
    return this.socket.writableLength;
  }

  begin(contentType: string, onClose: () => void): void {
    this.isText = contentType === 'application/json';
    const refusal = handshakeRefusal(this.message);
    this.response.statusCode = refusal?.code ?? 101; // whoever counts answers looks there
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
      webSocket.on('error', onClose); // what a client says against the protocol is answered with a close
    });
  }

  write(events: readonly Buffer[]): void {
    this.socket.cork();
    for (const event of events)
      this.webSocket?.send(this.isText ? event : event.subarray(LENGTH_BYTES), { binary: !this.isText });
    this.socket.uncork();
  }

  end(): void {
    this.webSocket?.close(NORMAL_CLOSURE);
    this.socket.destroySoon(); // nobody waits for the client's goodbye
  }

  abort(): void {
    this.socket.destroy();
  }
}
