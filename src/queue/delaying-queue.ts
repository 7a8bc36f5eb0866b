import type { ObjectKey } from '../api/object-key.js';
import type { Cause } from '../api/probe.js';
import type { Cancel, Clock } from '../base/clock.js';
import { Heap } from './heap.js';
import type { WorkqueueMeter } from './workqueue-meter.js';

/** The queue to which keys are added when their delay has passed. */
export interface ReadyQueue {
  add(key: ObjectKey, cause?: Cause): void;
}

interface Waiting {
  readonly key: ObjectKey;
  readonly readyAt: number;
  readonly cause: Cause | undefined;
}

/**
 * Adds keys to a queue after a delay.
 *
 * A key waits at most once; the earlier of two times applies. One timer serves all keys.
 */
export class DelayingQueue {
  private readonly readyAt = new Map<ObjectKey, number>();
  /** Also contains superseded times of a key; they are skipped when they are due. */
  private readonly heap = new Heap<Waiting>((a, b) => a.readyAt < b.readyAt);
  private cancelTimer: Cancel = () => undefined;
  private timerAt = Infinity;
  private hasShutDown = false;

  constructor(
    private readonly queue: ReadyQueue,
    private readonly clock: Clock,
    private readonly meter?: WorkqueueMeter,
  ) {}

  /** The number of waiting keys. */
  get waiting(): number {
    return this.readyAt.size;
  }

  /**
   * Adds the key after `delayMs`, which may exceed the limit of a timer; immediately if it is not positive.
   *
   * @throws RangeError when `delayMs` is NaN.
   */
  addAfter(key: ObjectKey, delayMs: number, cause?: Cause): void {
    if (Number.isNaN(delayMs)) throw new RangeError('delayMs is NaN');
    if (this.hasShutDown) return;
    this.meter?.retried();
    if (delayMs <= 0) {
      this.queue.add(key, cause);
      return;
    }
    const readyAt = this.clock.monotonic() + delayMs;
    const current = this.readyAt.get(key);
    if (current !== undefined && current <= readyAt) return;
    this.readyAt.set(key, readyAt);
    this.heap.push({ key, readyAt, cause });
    if (readyAt < this.timerAt) this.startTimer(readyAt);
  }

  /** Removes all waiting keys. */
  shutDown(): void {
    this.hasShutDown = true;
    this.cancelTimer();
    this.readyAt.clear();
    this.heap.clear();
  }

  private startTimer(at: number): void {
    this.cancelTimer();
    this.timerAt = at;
    this.cancelTimer = this.clock.schedule(at - this.clock.monotonic(), () => {
      this.moveDue();
    });
  }

  private moveDue(): void {
    const now = this.clock.monotonic();
    let next = this.heap.peek();
    for (; next && next.readyAt <= now; next = this.heap.peek()) {
      this.heap.pop();
      if (this.readyAt.get(next.key) !== next.readyAt) continue;
      this.readyAt.delete(next.key);
      this.queue.add(next.key, next.cause);
    }
    this.timerAt = Infinity;
    if (next) this.startTimer(next.readyAt);
  }
}
