import { ProtocolError } from './protocol-error.js';

/** Receives the data of chunks as it arrives: a view of the buffer from the socket. */
interface DataHandler {
  onBody(bytes: Buffer): void;
}

const MAX_CHUNK_BYTES = 2 ** 40;
const MAX_SIZE_DIGITS = 16;
const MAX_EXTENSION_BYTES = 1024;
const MAX_TRAILER_BYTES = 64 * 1024;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const SEMICOLON = 0x3b;
const DELETE = 0x7f;

const INVALID_SIZE = 'a chunk has an invalid size';
const TOO_LONG_CHUNK = 'a chunk is longer than its size';
const INVALID_TRAILER = 'a trailer of the response is invalid';

const enum State {
  Size,
  Padding,
  Extension,
  SizeLineFeed,
  Data,
  End,
  EndLineFeed,
  Trailer,
  TrailerLineFeed,
  Done,
}

/** Parses a body of chunks (RFC 9112, 7.1), which can be split at any byte. Skips extensions and trailers. */
export class ChunkedBody {
  private state = State.Size;
  /** The bytes of the current chunk that have not arrived. */
  private remaining = 0;
  /** The bytes so far of the line with the size of a chunk, or of a trailer. */
  private lineBytes = 0;
  private trailerBytes = 0;

  constructor(private readonly handler: DataHandler) {}

  get isDone(): boolean {
    return this.state === State.Done;
  }

  /**
   * Parses bytes from an index, until a part of the body is complete. Returns the index of the next byte.
   *
   * @throws ProtocolError if they are malformed.
   */
  read(bytes: Buffer, at: number): number {
    switch (this.state) {
      case State.Data:
        return this.readData(bytes, at);
      case State.Size:
        return this.readSize(bytes, at);
      case State.Extension:
        return this.skipExtension(bytes, at);
      case State.Trailer:
        return this.skipTrailer(bytes, at);
      default:
        this.readByte(bytes[at] ?? 0);
        return at + 1;
    }
  }

  private readByte(byte: number): void {
    switch (this.state) {
      case State.Padding:
        this.endSize(byte);
        break;
      case State.SizeLineFeed:
        assertByte(byte, LF, INVALID_SIZE);
        this.beginChunk();
        break;
      case State.End:
        assertByte(byte, CR, TOO_LONG_CHUNK);
        this.state = State.EndLineFeed;
        break;
      case State.EndLineFeed:
        assertByte(byte, LF, TOO_LONG_CHUNK);
        this.state = State.Size;
        break;
      default:
        assertByte(byte, LF, INVALID_TRAILER);
        this.endTrailer();
    }
  }

  private readData(bytes: Buffer, at: number): number {
    const to = Math.min(bytes.length, at + this.remaining);
    this.remaining -= to - at;
    this.handler.onBody(at === 0 && to === bytes.length ? bytes : bytes.subarray(at, to));
    if (this.remaining === 0) this.state = State.End;
    return to;
  }

  private readSize(bytes: Buffer, from: number): number {
    let at = from;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      const digit = hexDigit(byte);
      if (digit < 0) {
        if (this.lineBytes === 0) throw new ProtocolError('a chunk has no size');
        this.lineBytes = 0;
        this.endSize(byte);
        return at + 1;
      }
      this.remaining = this.remaining * 16 + digit;
      if (this.remaining > MAX_CHUNK_BYTES) throw new ProtocolError('a chunk is too long');
      if (++this.lineBytes > MAX_SIZE_DIGITS) throw new ProtocolError(INVALID_SIZE);
    }
    return at;
  }

  /** Reads a byte after the size of a chunk. White space is padding, which some servers add (RFC 9112, 7.1.1: BWS). */
  private endSize(byte: number): void {
    if (byte === CR) this.state = State.SizeLineFeed;
    else if (byte === SEMICOLON) this.state = State.Extension;
    else if (byte === SPACE || byte === TAB) this.state = State.Padding;
    else throw new ProtocolError(INVALID_SIZE);
    if (byte !== CR) this.countExtension();
  }

  private skipExtension(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === CR) {
        this.state = State.SizeLineFeed;
        return at + 1;
      }
      if ((byte < SPACE && byte !== TAB) || byte === DELETE)
        throw new ProtocolError('a chunk has an invalid extension');
      this.countExtension();
    }
    return bytes.length;
  }

  private countExtension(): void {
    if (++this.lineBytes > MAX_EXTENSION_BYTES) throw new ProtocolError('a chunk has an extension that is too long');
  }

  private beginChunk(): void {
    this.state = this.remaining === 0 ? State.Trailer : State.Data;
    this.lineBytes = 0;
  }

  /** Skips trailers. An empty line ends the body. */
  private skipTrailer(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === CR) {
        this.state = State.TrailerLineFeed;
        return at + 1;
      }
      if (byte === LF) throw new ProtocolError(INVALID_TRAILER);
      this.lineBytes++;
      this.countTrailer();
    }
    return bytes.length;
  }

  private endTrailer(): void {
    this.state = this.lineBytes === 0 ? State.Done : State.Trailer;
    if (this.lineBytes > 0) this.countTrailer(2);
    this.lineBytes = 0;
  }

  private countTrailer(bytes = 1): void {
    this.trailerBytes += bytes;
    if (this.trailerBytes > MAX_TRAILER_BYTES) throw new ProtocolError('the trailers of the response are too long');
  }
}

function assertByte(byte: number, expected: number, message: string): void {
  if (byte !== expected) throw new ProtocolError(message);
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
