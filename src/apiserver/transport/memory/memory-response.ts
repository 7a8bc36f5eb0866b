import { EventEmitter } from 'node:events';
import { STATUS_CODES, type ServerResponse } from 'node:http';

/** Receives a response without a socket. */
export interface MemoryReceiver {
  /** @param head - status line and headers, without the empty line */
  onHead(head: string): void;
  onBody(bytes: Buffer): void;
  onEnd(): void;
  /** Called when the server closes the connection before the end of the response. */
  onAbort(): void;
}

type HeaderValue = string | number | readonly string[];

/** A response that is passed on without a socket: the members of ServerResponse that the server uses. */
export class MemoryResponse extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  private readonly headers = new Map<string, HeaderValue>();

  constructor(private readonly receiver: MemoryReceiver) {
    super();
  }

  /** The response for the API server, which is declared for sockets. */
  get asServerResponse(): ServerResponse {
    return this as unknown as ServerResponse;
  }

  setHeader(name: string, value: HeaderValue): this {
    this.headers.set(name, value);
    return this;
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.headers.get(name);
  }

  writeHead(code: number, headers: Readonly<Record<string, HeaderValue>> = {}): this {
    for (const [name, value] of Object.entries(headers)) this.headers.set(name, value);
    this.statusCode = code;
    this.sendHead();
    return this;
  }

  flushHeaders(): void {
    this.sendHead();
  }

  /** Returns true: a receiver in memory takes everything. */
  write(bytes: Buffer | string): boolean {
    if (this.destroyed) return true;
    this.sendHead();
    this.receiver.onBody(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    return true;
  }

  end(bytes?: Buffer | string): this {
    if (this.writableEnded || this.destroyed) return this;
    if (bytes !== undefined && bytes.length > 0) this.write(bytes);
    this.sendHead();
    this.writableEnded = true;
    this.receiver.onEnd();
    this.emit('finish');
    this.emit('close');
    return this;
  }

  destroy(): this {
    if (this.destroyed || this.writableEnded) return this;
    this.destroyed = true;
    this.receiver.onAbort();
    this.emit('close');
    return this;
  }

  /** Ends the response because its client has closed the connection. */
  disconnect(): void {
    if (this.destroyed || this.writableEnded) return;
    this.destroyed = true;
    this.emit('close');
  }

  private sendHead(): void {
    if (this.headersSent) return;
    this.headersSent = true;
    let head = `HTTP/1.1 ${this.statusCode} ${STATUS_CODES[this.statusCode] ?? ''}`;
    for (const [name, value] of this.headers) {
      if (Array.isArray(value)) for (const one of value as readonly string[]) head += `\r\n${name}: ${one}`;
      else head += `\r\n${name}: ${String(value)}`;
    }
    this.receiver.onHead(head);
  }
}
