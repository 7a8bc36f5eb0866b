import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.js';

/** The time for a new connection to send its first request, and for the last response of a connection to be sent. */
const IDLE_MS = 500;
const CHECK_MS = 50;
/** A request that a proxy on this machine has already received needs one turn for each of its sockets. */
const TURNS = 4;

interface Connection {
  readonly socket: Socket;
  requests: number;
  idleSince: number;
}

/** The connections of an HTTP server: their number is limited, and it can be closed without losing a request. */
export class OpenConnections {
  private readonly connections = new Map<string, Connection>();

  constructor(
    private readonly server: Server,
    private readonly clock: Clock,
    private readonly maxConnections: number,
  ) {
    server.on('connection', (socket: Socket) => {
      const peer = peerOf(socket);
      this.connections.set(peer, { socket, requests: 0, idleSince: clock.monotonic() });
      socket.once('close', () => {
        if (this.connections.get(peer)?.socket === socket) this.connections.delete(peer);
      });
      if (this.connections.size > this.maxConnections) this.closeIdle();
    });
  }

  /** Keeps the connection of a request open until `responded` resolves. */
  hold({ socket }: IncomingMessage, responded: Promise<void>): void {
    const connection = this.connections.get(peerOf(socket));
    if (!connection) return;
    connection.requests++;
    void responded.then(() => {
      connection.requests--;
      connection.idleSince = this.clock.monotonic();
    });
  }

  /** Closes the connection that is idle for the longest time; if none but the newest is idle, that one. */
  private closeIdle(): void {
    let longest: [string, Connection] | undefined;
    for (const each of this.connections) {
      if (each[1].requests === 0 && each[1].idleSince < (longest?.[1].idleSince ?? Infinity)) longest = each;
    }
    if (!longest) return;
    this.connections.delete(longest[0]);
    longest[1].socket.destroy();
  }

  /**
   * Stops listening, closes connections without a request, and resolves when the last response has been sent.
   *
   * A client does not repeat a POST when the server closes the connection under it. After a busy time, requests that have
   * arrived wait to be read while timers are already due, so they are read before connections are closed.
   *
   * @param late aborted when the time for the last responses is over: what is still open is closed
   */
  async close(late: AbortSignal): Promise<void> {
    await readArrived();
    const closed = once(this.server, 'close');
    this.server.close(); // also closes connections that are idle after a request
    while (this.connections.size > 0) {
      await new Promise<void>((resolve) => {
        this.clock.schedule(CHECK_MS, resolve);
      });
      await readArrived();
      const now = this.clock.monotonic();
      for (const { socket, requests, idleSince } of this.connections.values())
        if (late.aborted || (requests === 0 && now - idleSince >= IDLE_MS)) socket.destroy();
    }
    await closed;
  }

  /** Stops listening and closes all connections, also those with a request. */
  async abort(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const { socket } of this.connections.values()) socket.destroy();
    await closed;
  }
}

async function readArrived(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await setImmediate();
}

/** A request has the TLS socket, and the server the TCP socket; both have the address of the client. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? 0}`;
}
