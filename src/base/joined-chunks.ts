/** Chunks below this length are copied together: a Buffer takes about 100 bytes beside its content, and keeps what it is a part of. */
const SMALL = 1024;
const BLOCK = 16 * 1024;

/** The bytes of several chunks. The memory that they take is proportional to their length, however small each chunk is. */
export class JoinedChunks {
  /** The number of bytes. */
  bytes = 0;
  private chunks: Buffer[] = [];
  private block = Buffer.alloc(0);
  /** The part of the block that is filled, and the part of this that is in `chunks`. */
  private filled = 0;
  private listed = 0;

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (chunk.length >= SMALL) {
      this.endPiece();
      this.chunks.push(chunk);
      return;
    }
    if (this.filled + chunk.length > this.block.length) {
      this.endPiece();
      this.block = Buffer.allocUnsafe(BLOCK);
      this.filled = this.listed = 0;
    }
    this.filled += chunk.copy(this.block, this.filled);
  }

  /** Returns all bytes, without a copy if they are one chunk. */
  join(): Buffer {
    this.endPiece();
    const [first] = this.chunks;
    return first && this.chunks.length === 1 ? first : Buffer.concat(this.chunks);
  }

  clear(): void {
    this.bytes = this.filled = this.listed = 0;
    this.chunks = [];
    this.block = Buffer.alloc(0);
  }

  /** Lists the bytes that were copied since the last chunk. */
  private endPiece(): void {
    if (this.filled > this.listed) this.chunks.push(this.block.subarray(this.listed, this.filled));
    this.listed = this.filled;
  }
}
