import type { Cancel, Clock } from '../../base/clock.js';
import type { ObjectStore } from './object-store.js';

/** Default of kube-apiserver's `--etcd-compaction-interval`. */
const INTERVAL_MS = 300_000;

/**
 * Drops the history older than one interval, as kube-apiserver makes etcd do: memory use depends on the number of
 * objects, not of writes.
 */
export class Compactor {
  private timer: Cancel;

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {
    this.timer = this.next(store.revision);
  }

  stop(): void {
    this.timer();
  }

  private next(revision: number): Cancel {
    return this.clock.schedule(INTERVAL_MS, () => {
      this.store.forget(revision);
      this.timer = this.next(this.store.revision);
    });
  }
}
