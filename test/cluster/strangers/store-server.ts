import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An object store on loopback. */
export class StoreServer {
  /** What was put at each path. */
  readonly contents = new Map<string, unknown>();
  private readonly server = createServer((request, response) => {
    void this.handle(request).then((body) => response.end(body));
  });

  static async start(): Promise<StoreServer> {
    const store = new StoreServer();
    store.server.listen(0, '127.0.0.1');
    await once(store.server, 'listening');
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async handle(request: IncomingMessage): Promise<string> {
    const { method, url = '' } = request;
    const body = await text(request);
    if (method === 'PUT') this.contents.set(url, JSON.parse(body));
    if (method === 'DELETE') this.contents.delete(url);
    return `secret of ${url}`;
  }
}
