import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const SOCKET = { remoteAddress: '127.0.0.1' } as Socket;

/** A request that was received without a socket: the members of IncomingMessage that the server uses. */
export class MemoryMessage extends EventEmitter {
  readonly socket = SOCKET;
  readonly httpVersion = '1.1';

  /** @param headers - with names in lower case */
  constructor(
    readonly method: string,
    readonly url: string,
    readonly headers: Readonly<Record<string, string>>,
    private readonly body: Buffer | undefined,
  ) {
    super();
  }

  /** The values of each header: a client of this package sends each once. */
  get headersDistinct(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(Object.entries(this.headers).map(([name, value]) => [name, [value]]));
  }

  /** Parses the head and body of an HTTP/1.1 request, as a client of this package writes it. */
  static of(text: string): MemoryMessage {
    const end = text.indexOf('\r\n\r\n');
    const [requestLine = '', ...lines] = text.slice(0, end).split('\r\n');
    const [method = '', url = ''] = requestLine.split(' ');
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const body = text.slice(end + 4);
    return new MemoryMessage(method, url, headers, body === '' ? undefined : Buffer.from(body));
  }

  /** The message for the API server, which is declared for sockets. */
  get asIncoming(): IncomingMessage {
    return this as unknown as IncomingMessage;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- the contract of IncomingMessage
  async *iterator(): AsyncGenerator<Buffer> {
    if (this.body) yield this.body;
    this.emit('end');
  }

  resume(): this {
    return this;
  }

  destroy(): this {
    this.emit('close');
    return this;
  }
}
