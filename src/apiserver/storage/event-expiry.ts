import type { Cancel, Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { ObjectStore } from './object-store.js';

/** Default of kube-apiserver's `--event-ttl`. */
const LIFETIME_MS = 3_600_000;
const SWEEP_MS = 60_000;

/** Deletes Events an hour after their last write; for Events from before a restart, an hour after the restart. */
export class EventExpiry {
  /** The time of the last write by key, oldest first. */
  private readonly writtenAt = new Map<string, number>();
  private readonly unsubscribe: () => void;
  private timer: Cancel | undefined;

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    const events = store.collection('events');
    for (const { key } of events.range('')) this.writtenAt.set(key, clock.monotonic());
    this.unsubscribe = events.subscribe(({ type, current: { key } }) => {
      this.writtenAt.delete(key);
      if (type === 'DELETED') return;
      this.writtenAt.set(key, clock.monotonic());
      this.timer ??= clock.schedule(SWEEP_MS, () => this.sweep());
    });
    if (this.writtenAt.size > 0) this.timer = clock.schedule(SWEEP_MS, () => this.sweep());
  }

  stop(): void {
    this.unsubscribe();
    this.timer?.();
  }

  private sweep(): void {
    this.timer = undefined;
    try {
      this.deleteUntil(this.clock.monotonic() - LIFETIME_MS);
    } catch (error) {
      this.logger.warn('could not delete expired Events, retrying in 60 s', { err: error });
    }
    if (this.writtenAt.size > 0) this.timer = this.clock.schedule(SWEEP_MS, () => this.sweep());
  }

  private deleteUntil(time: number): void {
    for (const [key, writtenAt] of this.writtenAt) {
      if (writtenAt > time) return;
      this.store.remove('events', key);
    }
  }
}
