import type { ObjectKey } from '../api/objects/object-key.js';
import { isHigher } from '../api/events/priority.js';
import type { Cancel, Clock } from '../base/clock.js';
import { Heap, type HeapItem } from './heap.js';
import { NO_CAUSES } from './pending-causes.js';
import type { DelayedKey, KeysInState, QueueSnapshot } from './queue-snapshot.js';
import type { AddOptions } from './queue.js';
import { Workqueue, type WorkqueueOptions } from './workqueue.js';

interface Waiting extends HeapItem {
  readonly key: ObjectKey;
  readonly since: number;
  readyAt: number;
  options: AddOptions | undefined;
}

/** A key that is done at a time. */
interface Hold {
  readonly key: ObjectKey;
  readonly since: number;
  readonly until: number;
  readonly cancel: Cancel;
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
  private readonly holds = new Set<Hold>();
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
    const since = this.clock.monotonic();
    const cancel = this.clock.schedule(delayMs, () => {
      this.holds.delete(hold);
      this.done(key);
    });
    const hold: Hold = { key, since, until: since + delayMs, cancel };
    this.holds.add(hold);
  }

  /** Returns the present keys, at most `limit` of each state. Without a meter, only delayed keys are listed. */
  snapshot(limit: number): QueueSnapshot {
    return { waiting: this.waitingKeys(limit), processing: this.keysInWork(limit), delayed: this.delayedKeys(limit) };
  }

  override shutDown(): void {
    super.shutDown();
    this.cancelTimer();
    this.waitingByKey.clear();
    this.heap.clear();
    for (const { cancel } of this.holds) cancel();
    this.holds.clear();
  }

  private wait(key: ObjectKey, readyAt: number, options: AddOptions | undefined): void {
    const present = this.waitingByKey.get(key);
    if (!present) {
      const waiting: Waiting = { key, since: this.clock.monotonic(), readyAt, options, heapIndex: 0 };
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

  /** Both collections are in the order of time. */
  private delayedKeys(limit: number): KeysInState<DelayedKey> {
    const now = this.clock.monotonic();
    const held: DelayedKey[] = [];
    for (const { key, since, until } of this.holds) {
      if (held.length >= limit) break;
      held.push({ key, ageMs: now - since, dueInMs: until - now, isHeld: true, causes: this.pendingCausesOf(key) });
    }
    const delayed: DelayedKey[] = [];
    for (const { key, since, readyAt, options } of this.waitingByKey.values()) {
      if (delayed.length >= limit) break;
      const causes = options?.cause ? { kept: [options.cause], omitted: 0 } : NO_CAUSES;
      delayed.push({ key, ageMs: now - since, dueInMs: readyAt - now, isHeld: false, causes });
    }
    const oldest = [...held, ...delayed].sort((a, b) => b.ageMs - a.ageMs).slice(0, limit);
    return { count: this.holds.size + this.waitingByKey.size, oldest };
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
  const { priority = 'normal' } = other ?? {};
  return isHigher(priority, options?.priority ?? 'normal') ? { ...options, priority } : options;
}
