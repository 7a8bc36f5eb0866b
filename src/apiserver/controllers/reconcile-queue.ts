import type { Clock } from '../../base/clock.js';
import { inLaterTurn } from '../../base/turns.js';
import type { Logger } from '../../base/logger.js';
import { RateLimitingQueue } from '../../queue/rate-limiting-queue.js';
import { WritePending } from '../admission/pending-write.js';

/**
 * The queue and the worker of a controller: reconciles its keys one after the other, in a later turn of the event loop.
 *
 * A key that fails is retried with the back-off of client-go's workqueues; one whose write waits for a webhook is
 * reconciled again when the write has completed.
 */
export class ReconcileQueue extends RateLimitingQueue {
  private isScheduled = false;

  constructor(
    private readonly name: string,
    clock: Clock,
    private readonly logger: Logger,
    private readonly reconcile: (key: string) => void,
  ) {
    super({ name, clock });
  }

  override add(key: string): void {
    super.add(key);
    this.schedule();
  }

  override done(key: string): void {
    super.done(key);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.length === 0) return;
    this.isScheduled = true;
    inLaterTurn(this.name, () => this.drain());
  }

  /** Reconciles the keys that are ready now. Keys added meanwhile are left to a later turn. */
  private drain(): void {
    this.isScheduled = false;
    for (let left = this.length; left > 0; left--) {
      const key = this.take();
      if (key !== undefined) this.run(key);
    }
    this.schedule();
  }

  private run(key: string): void {
    try {
      this.reconcile(key);
      this.forget(key);
    } catch (error) {
      if (error instanceof WritePending) {
        void this.runAfter(error.done, key);
        return;
      }
      this.retry(key, error);
    }
    this.done(key);
  }

  private async runAfter(write: Promise<unknown>, key: string): Promise<void> {
    try {
      await write;
      this.add(key);
    } catch (error) {
      this.retry(key, error);
    }
    this.done(key);
  }

  private retry(key: string, error: unknown): void {
    const delayMs = this.addRateLimited(key);
    this.logger.debug('reconciliation failed, retrying', { controller: this.name, key, delayMs, err: error });
  }
}
