import type { ObjectKey } from '../api/objects/object-key.js';
import type { Priority } from '../api/events/priority.js';
import type { RetryReason } from '../api/reconcile/reconcile-observer.js';
import type { Clock } from '../base/clock.js';
import { DelayingQueue } from './delaying-queue.js';
import type { KeyOrder } from './key-order.js';
import { ItemExponentialRateLimiter, type BackoffDelays } from './rate-limiter.js';
import { WorkqueueMeter } from './workqueue-meter.js';
import type { WorkqueueMetrics } from './workqueue-metrics.js';

export interface RetryOptions {
  /** The reason of the `retry` cause; without it the key has no cause. */
  readonly reason?: RetryReason;
  /** The shortest delay (default 0); `maxDelayMs` of the queue is the limit. */
  readonly minDelayMs?: number;
  readonly priority?: Priority;
}

export interface RateLimitingQueueOptions extends Partial<BackoffDelays> {
  /** The label of the queue's metrics. */
  readonly name: string;
  readonly clock: Clock;
  readonly metrics?: WorkqueueMetrics | undefined;
  /** Measure the ages of keys for snapshots, also without metrics. Default false. */
  readonly isMeasured?: boolean | undefined;
  /** Default: in the order in which keys became ready. */
  readonly order?: KeyOrder;
  /** Default 5. */
  readonly baseDelayMs?: number;
  /** Default 1,000,000. */
  readonly maxDelayMs?: number;
}

/**
 * A controller's queue: a DelayingQueue with a back-off per key.
 *
 * Life cycle of a key: `add`, `take`, work, then `forget` on success or `addRateLimited` on failure, and always
 * `done`.
 */
export class RateLimitingQueue extends DelayingQueue {
  private readonly limiter: ItemExponentialRateLimiter;

  constructor(options: RateLimitingQueueOptions) {
    const { name, clock, metrics, isMeasured = false, order, ...delays } = options;
    const { baseDelayMs = 5, maxDelayMs = 1_000_000, delayFactor, delayJitter } = delays;
    super(clock, { order, meter: metrics || isMeasured ? new WorkqueueMeter(name, clock, metrics) : undefined });
    this.limiter = new ItemExponentialRateLimiter({ baseDelayMs, maxDelayMs, delayFactor, delayJitter });
  }

  /** Adds the key after its back-off, which grows with each call until `forget`. Returns the delay. */
  addRateLimited(key: ObjectKey, { reason, minDelayMs = 0, priority }: RetryOptions = {}): number {
    const delayMs = Math.max(this.limiter.when(key), Math.min(minDelayMs, this.limiter.delays.maxDelayMs));
    const attempt = this.limiter.numRequeues(key) + 1;
    this.addAfter(key, delayMs, { cause: reason && { type: 'retry', reason, delayMs, attempt }, priority });
    return delayMs;
  }

  /** Changes the delays of later retries. */
  setDelays({ baseDelayMs, maxDelayMs, delayFactor, delayJitter }: BackoffDelays): void {
    this.limiter.delays = { baseDelayMs, maxDelayMs, delayFactor, delayJitter };
  }

  /** Resets the back-off of a key that succeeded or is given up. */
  forget(key: ObjectKey): void {
    this.limiter.forget(key);
  }

  numRequeues(key: ObjectKey): number {
    return this.limiter.numRequeues(key);
  }
}
