/** The size of a block. */
export const BLOCK_BYTES = 64 * 1024;

/**
 * Blocks of memory for the bodies of long responses, which the next long response uses again.
 *
 * V8 collects all garbage each time that buffers of about the size of the heap were allocated, which is at least once for
 * a response of 20 MB, and delays admission reviews. Spare blocks count as garbage: a collection frees them.
 */
export class SpareBlocks {
  private spare = new WeakRef<Buffer[]>([]);

  /** Returns a block of any content. */
  take(): Buffer {
    return this.spare.deref()?.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  }

  /** The blocks must not be used by the caller from now on. */
  giveBack(blocks: readonly Buffer[]): void {
    this.spare = new WeakRef([...(this.spare.deref() ?? []), ...blocks]);
  }
}
