import type { ServerResponse } from 'node:http';
import { securityHeaders } from '../server/security-headers.js';
import type { StreamEventName, StreamEvents } from '../wire.js';

/** Bytes that may wait for a client before it is disconnected. */
const MAX_WAITING = 1024 * 1024;

/** The connection of one client of the event stream. */
export class EventStream {
  private isBlocked = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly onDrain: () => void,
  ) {
    response.writeHead(200, { ...securityHeaders(), 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
  }

  /** False while the client has not read what was sent: nothing more should be built for it. */
  get isReady(): boolean {
    return !this.isBlocked && !this.response.destroyed;
  }

  /** Resolves when the connection is closed. */
  async closed(): Promise<void> {
    if (this.response.destroyed) return;
    await new Promise<void>((resolve) => {
      this.response.once('close', resolve);
    });
  }

  send<N extends StreamEventName>(name: N, data: StreamEvents[N]): void {
    this.sendText(name, JSON.stringify(data));
  }

  sendText(name: StreamEventName, json: string): void {
    this.write(`event: ${name}\ndata: ${json}\n\n`);
  }

  /** Names the place after everything that was sent. */
  mark(id: string): void {
    this.write(`id: ${id}\n\n`);
  }

  beat(): void {
    this.write(': beat\n\n');
  }

  end(): void {
    this.response.end();
  }

  private write(text: string): void {
    if (this.response.destroyed) return;
    if (!this.response.write(text) && !this.isBlocked) {
      this.isBlocked = true;
      this.response.once('drain', () => {
        this.isBlocked = false;
        this.onDrain();
      });
    }
    if (this.response.writableLength > MAX_WAITING) this.response.destroy();
  }
}
