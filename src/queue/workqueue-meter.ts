import type { ObjectKey } from '../api/objects/object-key.js';
import type { Clock } from '../base/clock.js';
import type { WorkqueueMetrics, WorkqueueProbe } from './workqueue-metrics.js';

/** Measures the queue and work times of the keys of one queue, for its metrics and for snapshots. */
export class WorkqueueMeter implements WorkqueueProbe {
  private readonly addedAt = new Map<ObjectKey, number>();
  private readonly takenAt = new Map<ObjectKey, number>();

  constructor(
    private readonly queue: string,
    private readonly clock: Clock,
    private readonly metrics?: WorkqueueMetrics,
  ) {
    metrics?.registered(queue, this);
  }

  get depth(): number {
    return this.addedAt.size;
  }

  added(key: ObjectKey): void {
    this.addedAt.set(key, this.clock.monotonic());
    this.metrics?.added(this.queue);
  }

  taken(key: ObjectKey): void {
    const now = this.clock.monotonic();
    const addedAt = this.addedAt.get(key) ?? now;
    this.addedAt.delete(key);
    this.takenAt.set(key, now);
    this.metrics?.taken(this.queue, (now - addedAt) / 1000);
  }

  done(key: ObjectKey): void {
    const now = this.clock.monotonic();
    const takenAt = this.takenAt.get(key) ?? now;
    this.takenAt.delete(key);
    this.metrics?.done(this.queue, (now - takenAt) / 1000);
  }

  retried(): void {
    this.metrics?.retried(this.queue);
  }

  /** Returns at most `limit` of the waiting keys with their ages in milliseconds, the oldest first. */
  waitingKeys(limit: number): [ObjectKey, number][] {
    return this.ages(this.addedAt, limit);
  }

  /** Returns at most `limit` of the keys in work, like `waitingKeys`. */
  keysInWork(limit: number): [ObjectKey, number][] {
    return this.ages(this.takenAt, limit);
  }

  oldestWaitingSeconds(): number {
    // The map is in the order of the adds.
    for (const addedAt of this.addedAt.values()) return (this.clock.monotonic() - addedAt) / 1000;
    return 0;
  }

  unfinishedWorkSeconds(): number {
    const now = this.clock.monotonic();
    let sumMs = 0;
    for (const takenAt of this.takenAt.values()) sumMs += now - takenAt;
    return sumMs / 1000;
  }

  longestRunningSeconds(): number {
    const now = this.clock.monotonic();
    let longestMs = 0;
    for (const takenAt of this.takenAt.values()) longestMs = Math.max(longestMs, now - takenAt);
    return longestMs / 1000;
  }

  /** The maps are in the order of time. */
  private ages(since: ReadonlyMap<ObjectKey, number>, limit: number): [ObjectKey, number][] {
    const now = this.clock.monotonic();
    const oldest: [ObjectKey, number][] = [];
    for (const [key, at] of since) {
      if (oldest.length >= limit) break;
      oldest.push([key, now - at]);
    }
    return oldest;
  }
}
