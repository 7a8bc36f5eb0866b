import type { Socket } from 'node:net';
import { inLaterTurn } from '../../base/turns.js';
import type { ResponseHead } from './response-head.js';
import { ResponseParser, type ResponseHandler } from './response-parser.js';

/** Receives the events of an exchange. `onEnd` or `onError` is the last event. */
export interface ExchangeHandler extends ResponseHandler {
  /** The connection is lost or the response is not HTTP. A response that has started is incomplete. */
  onError(error: Error): void;
}

/** A connection that a request is sent over. */
export interface ClientConnection {
  /** Called when an exchange is complete, or was not begun. */
  onIdle: () => void;
  exchange(method: string, message: string, handler: ExchangeHandler, beforeEnd?: () => void): void;
  pause(): void;
  resume(): void;
  /** Closes the connection. A pending exchange fails with `error`. */
  destroy(error?: Error): void;
}

/** A message up to this size is written to the socket immediately, without waiting for the event loop. */
const WRITTEN_AT_ONCE_BYTES = 16 * 1024;
/**
 * The bytes that are handled in one turn of the event loop. libuv would read up to 2 MB, which takes 30 ms to decode, and
 * neither probes nor the lease would be served meanwhile.
 */
const READ_AT_ONCE_BYTES = 256 * 1024;

/** A keep-alive HTTP/1.1 connection with one exchange at a time and no pipelining. */
export class HttpConnection implements ClientConnection {
  /** Called when an exchange is complete and the connection can be reused. */
  onIdle: () => void = () => undefined;
  /** Called when the connection is closed. */
  onClose: () => void = () => undefined;
  /** The number of exchanges that have started. */
  exchanges = 0;
  private parser: ResponseParser | undefined;
  private handler: ExchangeHandler | undefined;
  private canBeReused = true;
  private error: Error | undefined;
  private bytesInTurn = 0;
  /** True if the receiver has paused the connection. */
  private isPaused = false;
  /** True until the last byte of a request that is written in parts is passed to the socket. */
  private isWriting = false;

  constructor(private readonly socket: Socket) {
    socket.unref();
    socket.on('data', (bytes: Buffer) => {
      this.receive(bytes);
    });
    socket.on('error', (error) => {
      this.error = error;
    });
    socket.on('end', () => {
      this.finish();
    });
    socket.on('close', () => {
      this.finish();
      this.onClose();
    });
  }

  get isUsable(): boolean {
    return this.canBeReused && !this.handler && this.socket.writable && !this.socket.destroyed;
  }

  /**
   * Sends a request. `method` determines whether the response has a body. `beforeEnd` is called before the end of a
   * large request is written; if it throws, the connection is closed with that error.
   */
  exchange(method: string, message: string | Buffer, handler: ExchangeHandler, beforeEnd?: () => void): void {
    if (!this.isUsable) {
      this.onClose();
      handler.onError(this.error ?? new Error('the connection was closed'));
      return;
    }
    this.exchanges++;
    this.handler = handler;
    this.parser = new ResponseParser(
      {
        onHead: (head: ResponseHead) => {
          this.canBeReused = head.keepsAlive;
          handler.onHead(head);
        },
        onBody: (bytes) => {
          handler.onBody(bytes);
        },
        onEnd: () => undefined,
      },
      method,
    );
    this.socket.ref();
    if (beforeEnd && Buffer.byteLength(message) > WRITTEN_AT_ONCE_BYTES) this.writeInParts(message, beforeEnd);
    else this.socket.write(message);
  }

  /** Stops reading until `resume`, for a receiver that cannot keep up. */
  pause(): void {
    this.isPaused = true;
    this.socket.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.socket.resume();
  }

  /** Closes the connection. A pending exchange fails with `error`. */
  destroy(error?: Error): void {
    this.error ??= error;
    this.socket.destroy();
    this.finish();
  }

  /** The event loop may be blocked between the parts; the server cannot process a request without its last byte. */
  private writeInParts(message: string | Buffer, beforeEnd: () => void): void {
    const bytes = Buffer.from(message as string);
    this.isWriting = true;
    this.socket.write(bytes.subarray(0, -1), (failure) => {
      if (failure || !this.handler) return;
      try {
        beforeEnd();
        this.isWriting = false;
        this.socket.write(bytes.subarray(-1));
      } catch (error) {
        this.destroy(error as Error);
      }
    });
  }

  private receive(bytes: Buffer): void {
    const { parser } = this;
    if (!parser) {
      this.socket.destroy(); // data without a request: the stream is out of step
      return;
    }
    this.yieldAfter(bytes.length);
    try {
      parser.push(bytes);
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    if (parser.isOutOfStep) this.canBeReused = false;
    if (parser.isDone) this.complete();
  }

  /** Stops reading until the next turn if this turn has received enough. */
  private yieldAfter(bytes: number): void {
    this.bytesInTurn += bytes;
    if (this.bytesInTurn < READ_AT_ONCE_BYTES) return;
    this.bytesInTurn = 0;
    this.socket.pause();
    inLaterTurn('', () => {
      if (!this.isPaused) this.socket.resume();
    });
  }

  private complete(): void {
    const { handler } = this;
    this.parser = undefined;
    this.handler = undefined;
    this.isPaused = false;
    // A server may respond before it has the whole request. The next one must not be written into the middle of it.
    if (this.isUsable && !this.isWriting) {
      this.socket.resume();
      this.socket.unref();
      this.onIdle();
    } else this.socket.destroy();
    handler?.onEnd();
  }

  /** Handles the end of the socket. */
  private finish(): void {
    const { handler, parser } = this;
    this.canBeReused = false;
    this.socket.destroy();
    if (!handler || !parser) return;
    this.handler = undefined;
    this.parser = undefined;
    try {
      if (this.error) throw this.error;
      parser.close();
    } catch (error) {
      handler.onError(error as Error);
      return;
    }
    handler.onEnd();
  }
}
