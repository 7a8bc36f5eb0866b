import type { Cancel, Clock } from '../base/clock.js';

/** The size of a block. */
export const BLOCK_BYTES = 64 * 1024;

/** How long blocks are kept after the last long response. */
const KEPT_MS = 60_000;

/**
 * Blocks of memory for the bodies of long responses, which the next long response uses again.
 *
 * V8 collects all garbage each time that buffers of about the size of the heap were allocated, which is at least once for
 * a response of 20 MB. On one core, its threads then delay admission reviews by 10 to 20 ms.
 */
export class SpareBlocks {
  private readonly spare: Buffer[] = [];
  private cancelRelease: Cancel = () => undefined;

  constructor(private readonly clock: Clock) {}

  /** Returns a block of any content. */
  take(): Buffer {
    return this.spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  }

  /** The blocks must not be used by the caller from now on. */
  giveBack(blocks: readonly Buffer[]): void {
    if (blocks.length === 0) return;
    for (const block of blocks) this.spare.push(block);
    this.cancelRelease();
    this.cancelRelease = this.clock.schedule(KEPT_MS, () => {
      this.release();
    });
  }

  /** Frees the memory of all spare blocks. */
  release(): void {
    this.cancelRelease();
    this.spare.length = 0;
  }
}
