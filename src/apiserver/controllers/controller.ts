import type { Cancel, Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { WritePending } from '../admission/pending-write.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { StoreEvent } from '../storage/stored-object.js';

/** Rate limits of client-go's workqueues; the delay doubles with each failure of a key. */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [5, 1_000_000];

/** A queue of keys to reconcile; keys that are added several times are reconciled once. */
export class KeyQueue {
  private readonly keys = new Set<string>();
  private isScheduled = false;
  private isStopped = false;
  /** Keys with a write in progress; they are reconciled when it completes. */
  private readonly waiting = new Set<string>();
  /** Number of consecutive failures by key. */
  private readonly failures = new Map<string, number>();
  private readonly timers = new Map<string, { readonly due: number; readonly cancel: Cancel }>();

  constructor(
    private readonly name: string,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly reconcile: (key: string) => void,
  ) {}

  add(key: string): void {
    if (this.isStopped) return;
    this.keys.add(key);
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.drain());
  }

  /** Reconciles the key after a delay; the shortest of several delays applies. */
  addAfter(key: string, delayMs: number): void {
    const due = this.clock.monotonic() + delayMs;
    const waiting = this.timers.get(key);
    if (this.isStopped || (waiting && waiting.due <= due)) return;
    waiting?.cancel();
    const cancel = this.clock.schedule(delayMs, () => {
      this.timers.delete(key);
      this.add(key);
    });
    this.timers.set(key, { due, cancel });
  }

  stop(): void {
    this.isStopped = true;
    this.keys.clear();
    for (const { cancel } of this.timers.values()) cancel();
  }

  private drain(): void {
    this.isScheduled = false;
    const batch = [...this.keys];
    this.keys.clear();
    for (const key of batch) {
      try {
        if (this.isStopped || this.waiting.has(key)) continue;
        this.reconcile(key);
        this.failures.delete(key);
      } catch (error) {
        if (error instanceof WritePending) void this.await(key, error.done);
        else this.retry(key, error);
      }
    }
  }

  private async await(key: string, write: Promise<unknown>): Promise<void> {
    this.waiting.add(key);
    try {
      await write;
      this.waiting.delete(key);
      this.add(key);
    } catch (error) {
      this.waiting.delete(key);
      this.retry(key, error);
    }
  }

  private retry(key: string, error: unknown): void {
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    const delayMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
    this.logger.debug('reconciliation failed, retrying', { controller: this.name, key, delayMs, err: error });
    this.addAfter(key, delayMs);
  }
}

/**
 * Calls `listener` for every existing object of a collection and for every later change; returns an unsubscribe
 * function.
 */
export function follow(
  store: ObjectStore,
  collection: string,
  listener: (event: Pick<StoreEvent, 'type' | 'current' | 'previous'>) => void,
): () => void {
  const objects = store.collection(collection);
  for (const current of [...objects.range('')]) listener({ type: 'ADDED', current, previous: undefined });
  return objects.subscribe(listener);
}
