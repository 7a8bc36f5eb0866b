import type { ServerResponse } from 'node:http';

/** The transport of one watch's events to its client. */
export interface EventStream {
  /** @param onClose called when the connection is closed */
  begin(contentType: string, onClose: () => void): void;
  write(events: readonly Buffer[]): void;
  end(): void;
  abort(): void;
  /** Bytes that the client has not read yet. */
  readonly backlogBytes: number;
}

/** Streams events in the body of one response. */
export class BodyStream implements EventStream {
  constructor(private readonly response: ServerResponse) {}

  get backlogBytes(): number {
    return this.response.writableLength;
  }

  begin(contentType: string, onClose: () => void): void {
    this.response.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-cache, private' });
    this.response.flushHeaders();
    this.response.on('close', onClose);
  }

  write(events: readonly Buffer[]): void {
    const [only] = events;
    if (!this.response.writableEnded)
      this.response.write(events.length === 1 && only ? only : Buffer.concat([...events]));
  }

  end(): void {
    this.response.end();
  }

  abort(): void {
    this.response.destroy();
  }
}
