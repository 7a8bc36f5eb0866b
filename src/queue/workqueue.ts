import type { ObjectKey } from '../api/object-key.js';
import { Fifo } from './fifo.js';
import type { WorkqueueMeter } from './workqueue-meter.js';

/**
 * Keys to work on, with the promises of client-go's workqueue.
 *
 * Guarantees:
 * - Fair: keys are taken in the order in which they became ready.
 * - Stingy: a key added many times before it is taken is taken once.
 * - No key is in work twice at a time: one added while in work becomes ready when it is done, exactly once.
 * - After shutDown nothing is added and nothing is handed out any more. (client-go lets its workers drain what waits;
 *   an operator about to stop must not begin new work, and its keys come again with the next start.)
 */
export class Workqueue {
  private readonly ready = new Fifo<ObjectKey>();
  /** Keys to be taken, now or once they are done. */
  private readonly dirty = new Set<ObjectKey>();
  private readonly processing = new Set<ObjectKey>();
  private listener: () => void = () => undefined;
  private isWaking = false;
  private hasShutDown = false;

  constructor(private readonly meter?: WorkqueueMeter) {}

  /** How many keys can be taken. */
  get length(): number {
    return this.ready.length;
  }

  get isShuttingDown(): boolean {
    return this.hasShutDown;
  }

  /**
   * Calls `listener`, in place of an earlier one, when keys became ready where there was none.
   *
   * Called after the running code has ended, once for all keys added by it, so that a burst of events meets the worker
   * as one.
   */
  onReady(listener: () => void): void {
    this.listener = listener;
    if (this.length > 0) this.wake();
  }

  add(key: ObjectKey): void {
    if (this.hasShutDown || this.dirty.has(key)) return;
    this.meter?.added(key);
    this.dirty.add(key);
    if (!this.processing.has(key)) this.push(key);
  }

  /** The next key, now in work until `done`; undefined when none is ready. */
  take(): ObjectKey | undefined {
    const key = this.ready.shift();
    if (key === undefined) return undefined;
    this.dirty.delete(key);
    this.processing.add(key);
    this.meter?.taken(key);
    return key;
  }

  /** Ends the work on a key; it is ready again if it was added meanwhile. */
  done(key: ObjectKey): void {
    if (!this.processing.delete(key)) return;
    this.meter?.done(key);
    if (this.dirty.has(key) && !this.hasShutDown) this.push(key);
  }

  shutDown(): void {
    this.hasShutDown = true;
    this.ready.clear();
  }

  private push(key: ObjectKey): void {
    this.ready.push(key);
    if (this.ready.length === 1) this.wake();
  }

  private wake(): void {
    if (this.isWaking) return;
    this.isWaking = true;
    queueMicrotask(() => {
      this.isWaking = false;
      if (this.length > 0) this.listener();
    });
  }
}
