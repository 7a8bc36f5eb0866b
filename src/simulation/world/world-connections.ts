import type { Connections, PendingConnection } from '../../client/http/connection-pool.js';
import type { ClientConnection, ExchangeHandler } from '../../client/http/http-connection.js';
import { Exchange, type Sender } from './exchange.js';
import type { World } from './world.js';

/** The connections of a simulated client, each for one exchange. */
export class WorldConnections implements Connections {
  private readonly open = new Set<Exchange>();

  constructor(
    private readonly world: World,
    private readonly sender: Sender,
  ) {}

  take(): ClientConnection {
    return new WorldConnection(this.world, this.sender, this.open);
  }

  acquire(): PendingConnection {
    return { connection: Promise.resolve(this.take()), cancel: () => undefined };
  }

  retireUnused(): void {
    // There are no idle connections.
  }

  retire(): void {
    // There are no idle connections.
  }

  close(error: Error): void {
    for (const exchange of [...this.open]) exchange.fail(error);
  }
}

class WorldConnection implements ClientConnection {
  onIdle: () => void = () => undefined;
  private current: Exchange | undefined;

  constructor(
    private readonly world: World,
    private readonly sender: Sender,
    private readonly open: Set<Exchange>,
  ) {}

  exchange(_method: string, message: string, handler: ExchangeHandler): void {
    const exchange = new Exchange(this.world, this.sender, message, handler, () => this.open.delete(exchange));
    this.current = exchange;
    this.open.add(exchange);
    exchange.send();
  }

  pause(): void {
    this.current?.pause();
  }

  resume(): void {
    this.current?.resume();
  }

  destroy(error?: Error): void {
    this.current?.fail(error ?? new Error('the connection was closed'));
  }
}
