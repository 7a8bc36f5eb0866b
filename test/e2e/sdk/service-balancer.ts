import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a Service is to its pods: new connections go to one of the ready ports in turn. */
export class ServiceBalancer {
  readonly ready = new Set<number>();
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

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
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
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
