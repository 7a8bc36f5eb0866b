import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A TCP forwarder that can stop to forward without closing anything, as a load balancer does that has lost its state:
 * both sides keep an established connection, and the kernel acknowledges what they send.
 */
export class StallingForwarder {
  /** How many connections were accepted so far. */
  accepted = 0;
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isFrozen = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => {
      this.forward(client);
    });
  }

  static async open(target: URL): Promise<StallingForwarder> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StallingForwarder(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** Holds what both sides send, on open and on new connections, until `thaw`. */
  freeze(): void {
    this.isFrozen = true;
    for (const pair of this.pairs) for (const socket of pair) socket.unpipe().pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const [client, upstream] of this.pairs) client.pipe(upstream).pipe(client);
  }

  /** Stops to forward on the connections that are open. New ones are forwarded. */
  stallOpenConnections(): void {
    for (const [client, upstream] of this.pairs) {
      client.unpipe();
      upstream.unpipe();
      // Received bytes are read and discarded, so that they are acknowledged to the sender's kernel.
      client.resume();
      upstream.resume();
    }
  }

  close(): void {
    this.server.close();
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  private forward(client: Socket): void {
    this.accepted += 1;
    const upstream = connect(Number(this.target.port), this.target.hostname);
    const pair = [client, upstream] as const;
    this.pairs.add(pair);
    if (!this.isFrozen) client.pipe(upstream).pipe(client);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
  }
}
