const FIRST_SIZE = 1 << 16;

/**
 * Writes a protobuf message from its end to its start, so that the length of a nested message is known when it is
 * written, without a buffer for each message.
 */
export class ReverseWriter {
  private buffer = Buffer.allocUnsafe(FIRST_SIZE);
  private start = FIRST_SIZE;

  /** The number of bytes written. */
  get length(): number {
    return this.buffer.length - this.start;
  }

  bytes(value: Buffer): void {
    this.reserve(value.length);
    value.copy(this.buffer, this.start);
  }

  text(value: string): void {
    this.reserve(Buffer.byteLength(value));
    this.buffer.write(value, this.start);
  }

  /** @param value an integer from 0 to 2^31 - 1 */
  varint(value: number): void {
    this.reserve(value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5);
    let [at, rest] = [this.start, value];
    for (; rest > 0x7f; rest >>>= 7) this.buffer[at++] = (rest & 0x7f) | 0x80;
    this.buffer[at] = rest;
  }

  /** Returns a copy of what was written. */
  result(): Buffer {
    return Buffer.from(this.buffer.subarray(this.start));
  }

  /** Moves the start back, into a larger buffer if needed. */
  private reserve(length: number): void {
    const written = this.length;
    if (length > this.start) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.buffer.length, written + 2 * length));
      this.buffer.copy(larger, larger.length - written, this.start);
      this.buffer = larger;
    }
    this.start = this.buffer.length - written - length;
  }
}
