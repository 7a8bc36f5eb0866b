import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A forwarder in front of a server that can be shut, cutting all connections, or stop forwarding on them. */
export class TcpGate {
  private readonly sockets = new Set<Socket>();
  private isShut = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => {
      this.forward(client);
    });
  }

  static async open(target: URL): Promise<TcpGate> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpGate(server, target);
  }

  get url(): string {
    return `https://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  shut(): void {
    this.isShut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  reopen(): void {
    this.isShut = false;
  }

  /** Stops forwarding on the present connections, which remain open; new connections work. */
  stall(): void {
    for (const socket of this.sockets) socket.unpipe().resume();
  }

  close(): void {
    this.shut();
    this.server.close();
  }

  private forward(client: Socket): void {
    if (this.isShut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(this.target.port), this.target.hostname);
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
