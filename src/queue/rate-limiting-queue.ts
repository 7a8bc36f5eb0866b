import type { ObjectKey } from '../api/object-key.js';
import type { Cause, RetryReason } from '../api/probe.js';
import type { Cancel, Clock } from '../base/clock.js';
import { DelayingQueue } from './delaying-queue.js';
import type { Causes } from './pending-causes.js';
import { ItemExponentialRateLimiter, type RateLimiter } from './rate-limiter.js';
import { Workqueue } from './workqueue.js';
import { WorkqueueMeter } from './workqueue-meter.js';
import type { WorkqueueMetrics } from './workqueue-metrics.js';

export interface RateLimitingQueueOptions {
  /** The label of the queue's metrics. */
  readonly name: string;
  readonly clock: Clock;
  readonly metrics?: WorkqueueMetrics;
  /** Delay after the first failure of a key, doubled by each further failure (default 5). */
  readonly baseDelayMs?: number;
  /** Default 1,000,000. */
  readonly maxDelayMs?: number;
}

/**
 * A controller's queue: a Workqueue with delays and a back-off per key.
 *
 * Life cycle of a key: `add`, `take`, work, then `forget` on success or `addRateLimited` on failure, and always
 * `done`.
 */
export class RateLimitingQueue {
  private readonly queue: Workqueue;
  private readonly delaying: DelayingQueue;
  private readonly limiter: RateLimiter;
  private readonly clock: Clock;
  private readonly holds = new Set<Cancel>();
  private readonly maxDelayMs: number;

  constructor({ name, clock, metrics, baseDelayMs = 5, maxDelayMs = 1_000_000 }: RateLimitingQueueOptions) {
    this.clock = clock;
    const meter = metrics && new WorkqueueMeter(name, clock, metrics);
    this.queue = new Workqueue(meter);
    this.delaying = new DelayingQueue(this.queue, clock, meter);
    this.maxDelayMs = maxDelayMs;
    this.limiter = new ItemExponentialRateLimiter(baseDelayMs, maxDelayMs);
  }

  /** The number of keys that can be taken now. */
  get length(): number {
    return this.queue.length;
  }

  get isShuttingDown(): boolean {
    return this.queue.isShuttingDown;
  }

  /** Adds the key; the cause is kept until the key is taken. */
  add(key: ObjectKey, cause?: Cause): void {
    this.queue.add(key, cause);
  }

  /** See DelayingQueue.addAfter. */
  addAfter(key: ObjectKey, delayMs: number, cause?: Cause): void {
    this.delaying.addAfter(key, delayMs, cause);
  }

  /**
   * Adds the key after its back-off, which grows with each call until `forget`, but not before `minDelayMs`. Returns
   * the delay.
   */
  addRateLimited(key: ObjectKey, reason?: RetryReason, minDelayMs = 0): number {
    const delayMs = Math.max(this.limiter.when(key), Math.min(minDelayMs, this.maxDelayMs));
    const attempt = this.limiter.numRequeues(key) + 1;
    this.delaying.addAfter(key, delayMs, reason && { type: 'retry', reason, delayMs, attempt });
    return delayMs;
  }

  forget(key: ObjectKey): void {
    this.limiter.forget(key);
  }

  numRequeues(key: ObjectKey): number {
    return this.limiter.numRequeues(key);
  }

  /** See Workqueue.take. */
  take(): ObjectKey | undefined {
    return this.queue.take();
  }

  /** See Workqueue.causesOf. */
  causesOf(key: ObjectKey): Causes {
    return this.queue.causesOf(key);
  }

  /** See Workqueue.onReady. */
  onReady(listener: () => void): void {
    this.queue.onReady(listener);
  }

  done(key: ObjectKey): void {
    this.queue.done(key);
  }

  /**
   * Ends the work on a key and prevents it from being taken again before `delayMs` have passed.
   *
   * Causes added in the meantime are kept; the key is then taken once for all of them.
   */
  doneAfter(key: ObjectKey, delayMs: number): void {
    this.queue.hold(key);
    const cancel = this.clock.schedule(delayMs, () => {
      this.holds.delete(cancel);
      this.queue.done(key);
    });
    this.holds.add(cancel);
  }

  shutDown(): void {
    this.queue.shutDown();
    this.delaying.shutDown();
    for (const cancel of this.holds) cancel();
    this.holds.clear();
  }
}
