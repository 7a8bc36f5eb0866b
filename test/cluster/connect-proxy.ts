import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** An HTTP proxy that tunnels every host name to one port of this machine, for clients with the right password. */
export class ConnectProxy {
  /** The targets of the tunnels that were opened. */
  readonly targets: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
    private readonly password: string | undefined,
  ) {
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      this.tunnel(request, socket);
    });
  }

  /** @param tls the certificate of the proxy; without one, clients talk to it in plain HTTP */
  static async start(options: { password?: string; tls?: ServerOptions } = {}): Promise<ConnectProxy> {
    const { password, tls } = options;
    const server = tls ? createHttpsServer(tls) : createHttpServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ConnectProxy(server, tls ? 'https' : 'http', password);
  }

  /** The URL for a client, with a user and password if given. */
  url(credentials = '', host = '127.0.0.1'): string {
    return `${this.scheme}://${credentials}${host}:${String((this.server.address() as AddressInfo).port)}`;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private tunnel({ url = '', headers }: IncomingMessage, client: Socket): void {
    const { password } = this;
    const expected = `Basic ${Buffer.from(`user:${password ?? ''}`).toString('base64')}`;
    if (password !== undefined && headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    this.targets.push(url);
    const upstream = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
  }
}
