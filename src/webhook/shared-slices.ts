import { inLaterTurn } from '../base/turns.js';
import type { Clock } from '../base/clock.js';

/** The longest time without a turn of the event loop, so that admission reviews do not wait for long lists. */
const SLICE_MS = 3;

/**
 * Divides long work into slices with a turn of the event loop between two. Tasks at the same time share a slice: one of
 * them works, the others wait in the order in which they came.
 */
export class SharedSlices {
  private readonly waiting: (() => void)[] = [];
  private isHeld = false;
  /** The start of the slice of the current turn; undefined if no task has worked in it. */
  private startedAt: number | undefined;

  constructor(private readonly clock: Clock) {}

  /** Works on each item, as many in a slice as fit. Rejects with an error of `work`, without the remaining items. */
  async each<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    await this.enter();
    try {
      for (const item of items) {
        work(item);
        if (this.isOver()) await this.next();
      }
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.isHeld || this.waiting.length > 0 || this.isOver()) await this.wait();
    else this.hold();
  }

  private isOver(): boolean {
    return this.startedAt !== undefined && this.clock.monotonic() - this.startedAt >= SLICE_MS;
  }

  /** Resolves when the task may continue, after those that wait. */
  private async next(): Promise<void> {
    this.leave();
    await this.wait();
  }

  private leave(): void {
    this.isHeld = false;
    this.resume();
  }

  private wait(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private hold(): void {
    this.isHeld = true;
    if (this.startedAt !== undefined) return;
    this.startedAt = this.clock.monotonic();
    inLaterTurn('', () => {
      this.startedAt = undefined;
      this.resume();
    });
  }

  /** Lets the first task that waits continue if the slice is not over. */
  private resume(): void {
    if (this.isHeld || this.waiting.length === 0 || this.isOver()) return;
    this.hold();
    this.waiting.shift()?.();
  }
}
