import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Balances like a Service: new connections go to the ready ports in turn. */
export class ServiceBalancer {
  readonly ready = new Set<number>();
  /** Ports with connections that stay open but deliver nothing, as after the loss of a network. */
  readonly silent = new Set<number>();
  private readonly sockets = new Set<Socket>();
  private turn = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ServiceBalancer> {
    const server = createServer();
    const balancer = new ServiceBalancer(server);
    server.on('connection', (socket) => balancer.forward(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return balancer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Closes all connections, as those of pods that ended. */
  disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.disconnect();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(socket: Socket): void {
    const ports = [...this.ready];
    const port = ports[this.turn++ % ports.length];
    if (port === undefined) {
      socket.destroy();
      return;
    }
    const target = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => {
        if (!this.silent.has(port)) to.write(chunk);
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
