import type { ObjectKey } from '../api/object-key.js';
import type { Cancel, Clock } from '../base/clock.js';
import { Heap, type HeapItem } from './heap.js';
import type { AddOptions } from './queue.js';
import { Workqueue, type WorkqueueOptions } from './workqueue.js';

interface Waiting extends HeapItem {
  readonly key: ObjectKey;
  readyAt: number;
  options: AddOptions | undefined;
}

/**
 * A Workqueue to which keys can be added after a delay.
 *
 * A key waits at most once; the earlier of two times applies, and the higher of two priorities. One timer serves all
 * keys.
 */
export class DelayingQueue extends Workqueue {
  private readonly waitingByKey = new Map<ObjectKey, Waiting>();
  private readonly heap = new Heap<Waiting>((a, b) => a.readyAt < b.readyAt);
  private readonly holds = new Set<Cancel>();
  private cancelTimer: Cancel = () => undefined;
  private timerAt = Infinity;

  constructor(
    private readonly clock: Clock,
    options?: WorkqueueOptions,
  ) {
    super(options);
  }

  /** The number of keys that are still delayed. */
  get waiting(): number {
    return this.heap.size;
  }

  /**
   * Adds the key after `delayMs`, which may exceed the limit of a timer; immediately if it is not positive.
   *
   * @throws RangeError when `delayMs` is NaN.
   */
  addAfter(key: ObjectKey, delayMs: number, options?: AddOptions): void {
    if (Number.isNaN(delayMs)) throw new RangeError('delayMs is NaN');
    if (this.isShuttingDown) return;
    this.meter?.retried();
    if (delayMs <= 0) this.add(key, options);
    else this.wait(key, this.clock.monotonic() + delayMs, options);
  }

  /**
   * Ends the work on a key and prevents it from being taken again before `delayMs` have passed.
   *
   * Causes added in the meantime are kept; the key is then taken once for all of them.
   */
  doneAfter(key: ObjectKey, delayMs: number): void {
    this.hold(key);
    const cancel = this.clock.schedule(delayMs, () => {
      this.holds.delete(cancel);
      this.done(key);
    });
    this.holds.add(cancel);
  }

  override shutDown(): void {
    super.shutDown();
    this.cancelTimer();
    this.waitingByKey.clear();
    this.heap.clear();
    for (const cancel of this.holds) cancel();
    this.holds.clear();
  }

  private wait(key: ObjectKey, readyAt: number, options: AddOptions | undefined): void {
    const present = this.waitingByKey.get(key);
    if (!present) {
      const waiting: Waiting = { key, readyAt, options, heapIndex: 0 };
      this.waitingByKey.set(key, waiting);
      this.heap.push(waiting);
    } else {
      const isEarlier = readyAt < present.readyAt;
      present.options = withHigherPriority(
        isEarlier ? options : present.options,
        isEarlier ? present.options : options,
      );
      if (!isEarlier) return;
      present.readyAt = readyAt;
      this.heap.raise(present);
    }
    if (readyAt < this.timerAt) this.startTimer(readyAt);
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
      this.waitingByKey.delete(next.key);
      this.add(next.key, next.options);
    }
    this.timerAt = Infinity;
    if (next) this.startTimer(next.readyAt);
  }
}

function withHigherPriority(options: AddOptions | undefined, other: AddOptions | undefined): AddOptions | undefined {
  return options?.priority === 'low' && other?.priority !== 'low' ? { ...options, priority: 'normal' } : options;
}
