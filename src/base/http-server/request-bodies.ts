import type { IncomingMessage, ServerResponse } from 'node:http';
import { JoinedChunks } from '../joined-chunks.js';
import { RequestError } from './request-error.js';

/** Several of the longest admission reviews, and a small part of the generated memory limit. */
const MAX_BUFFERED = 64 * 1024 * 1024;
/** The shortest piece of a body that is passed on before its end. */
const MIN_PIECE = 16 * 1024;

interface BodyOptions {
  /** Longer bodies are rejected with status 413. */
  readonly maxBytes: number;
  /** Called with a function to call when the time for the body is over. Default: no time limit. */
  readonly onLate?: (reject: () => void) => void;
}

/**
 * Reads the request bodies of one server.
 *
 * The bytes of all bodies are counted until the response of their request has ended. Requests beyond the limit are rejected
 * with status 503, so that clients without credentials cannot fill the memory of the process.
 */
export class RequestBodies {
  /** By request without a complete response. */
  private readonly held = new Map<IncomingMessage, number>();
  private sum = 0;

  constructor(private readonly maxBuffered = MAX_BUFFERED) {}

  /** Must be called with each request before its body is read. */
  track(message: IncomingMessage, response: ServerResponse): void {
    this.held.set(message, 0);
    response.once('close', () => {
      this.sum -= this.held.get(message) ?? 0;
      this.held.delete(message);
    });
  }

  /**
   * Reads a whole body.
   *
   * @throws RequestError for a body that is too long, too late, or exceeds the memory for all bodies; the error of a closed
   *   connection.
   */
  read(message: IncomingMessage, { maxBytes, onLate }: BodyOptions): Promise<Buffer> {
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLong(maxBytes));
    const chunks = new JoinedChunks();
    // Listeners take a third of the time of an asynchronous iterator for a body of one chunk.
    return new Promise((resolve, reject) => {
      let isRejected = false;
      const fail = (error: Error): void => {
        isRejected = true;
        chunks.clear();
        reject(error);
      };
      onLate?.(() => {
        fail(new RequestError(408, 'the body did not arrive in time'));
      });
      message.on('data', (chunk: Buffer) => {
        if (isRejected) return;
        if (chunks.bytes + chunk.length > maxBytes) fail(tooLong(maxBytes));
        else if (this.add(message, chunk.length)) chunks.push(chunk);
        else fail(tooBusy());
      });
      message.on('end', () => {
        resolve(chunks.join());
      });
      message.on('error', fail);
    });
  }

  /**
   * Iterates over a body, in pieces of at least 16 KB. The sender waits while a piece is processed.
   *
   * @throws RequestError for a body that is too long or exceeds the memory for all bodies; the error of a closed connection.
   */
  async *chunks(message: IncomingMessage, { maxBytes }: BodyOptions): AsyncGenerator<Buffer> {
    const piece = new JoinedChunks();
    let size = 0;
    try {
      for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw tooLong(maxBytes);
        if (!this.add(message, chunk.length)) throw tooBusy();
        piece.push(chunk);
        if (piece.bytes < MIN_PIECE) continue;
        yield piece.join();
        piece.clear();
      }
      if (piece.bytes > 0) yield piece.join();
    } finally {
      message.resume(); // the response of an error can be sent while the body still arrives
    }
  }

  /** Counts bytes of a request; returns false if they exceed the memory for all bodies. */
  private add(message: IncomingMessage, bytes: number): boolean {
    const held = this.held.get(message);
    if (held === undefined) return true; // the response has ended
    if (this.sum + bytes > this.maxBuffered) return false;
    this.sum += bytes;
    this.held.set(message, held + bytes);
    return true;
  }
}

function tooLong(maxBytes: number): RequestError {
  return new RequestError(413, `the body exceeds ${maxBytes} bytes`);
}

function tooBusy(): RequestError {
  return new RequestError(503, 'too many bytes of other requests are being processed');
}
