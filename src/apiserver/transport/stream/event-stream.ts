import type { ServerResponse } from 'node:http';

/** The transport of one watch's events to its client. */
export interface EventStream {
  /** @param onClose called when the connection is closed */
  begin(contentType: string, onClose: () => void): void;
  /** Returns false if the client has to read before more is written; `onDrain` is called when it has. */
  write(events: readonly Buffer[], onDrain: () => void): boolean;
  end(): void;
  abort(): void;
}

/** Streams events in the body of one response. */
export class BodyStream implements EventStream {
  constructor(private readonly response: ServerResponse) {}

  begin(contentType: string, onClose: () => void): void {
    this.response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-cache, private' });
    this.response.flushHeaders();
    this.response.on('close', onClose);
  }

  write(events: readonly Buffer[], onDrain: () => void): boolean {
    const [only] = events;
    if (this.response.writableEnded) return true;
    const isReady = this.response.write(events.length === 1 && only ? only : Buffer.concat([...events]));
    if (!isReady) this.response.once('drain', onDrain);
    return isReady;
  }

  end(): void {
    this.response.end();
  }

  abort(): void {
    this.response.destroy();
  }
}
