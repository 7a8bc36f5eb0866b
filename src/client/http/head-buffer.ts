const HEAD_END = '\r\n\r\n';
const FIRST_BYTES = 1024;

/** Joins a head that arrives in several parts. Copies and searches each byte a few times, however small the parts are. */
export class HeadBuffer {
  private buffer = Buffer.allocUnsafe(FIRST_BYTES);
  private length = 0;

  constructor(private readonly maxBytes: number) {}

  /** True if the head is longer than `maxBytes`. */
  get isFull(): boolean {
    return this.length === this.maxBytes + HEAD_END.length;
  }

  /**
   * Adds the bytes from `at`. Returns the head if they complete it, and the position after it in `bytes`.
   */
  append(bytes: Buffer, at: number): { head: string; next: number } | undefined {
    const carried = this.length;
    this.length = Math.min(carried + bytes.length - at, this.maxBytes + HEAD_END.length);
    if (this.length > this.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.length, 2 * this.buffer.length));
      this.buffer.copy(larger, 0, 0, carried);
      this.buffer = larger;
    }
    bytes.copy(this.buffer, carried, at, at + this.length - carried);
    const end = this.buffer.subarray(0, this.length).indexOf(HEAD_END, Math.max(0, carried + 1 - HEAD_END.length));
    if (end < 0) return undefined;
    return { head: this.buffer.toString('latin1', 0, end), next: at + end + HEAD_END.length - carried };
  }
}
