import { expired } from '../errors/status-error.js';
import type { StoreEvent } from './stored-object.js';

/** As many as kube-apiserver's watch cache holds of a resource at the least. */
const LATEST = 100;

/** How many events keep what they were encoded as: watchers are seldom further behind. */
const ENCODED = 1000;

/** How much of one resource's past is kept; what comes first counts. */
export interface HistoryBounds {
  readonly events: number;
  /** Of the JSON of their objects, in characters. */
  readonly size: number;
}

/** What has lately happened to one resource, oldest first. */
export class EventHistory {
  private readonly events: StoreEvent[] = [];
  private size = 0;

  constructor(
    /** Events up to this revision are forgotten. */
    private forgotten: number,
    private readonly bounds: HistoryBounds,
  ) {}

  add(event: StoreEvent): void {
    this.events.push(event);
    this.size += event.size;
    this.events.at(-1 - ENCODED)?.dropEncoded();
    if (this.events.length > this.bounds.events || this.size > this.bounds.size) this.drop(this.excess());
  }

  /** Events after `revision`; 410 when some are forgotten. */
  since(revision: number): readonly StoreEvent[] {
    if (revision < this.forgotten) throw expired(`too old resource version: ${revision} (${this.forgotten})`);
    return this.events.slice(this.firstAfter(revision));
  }

  /** Drops all events up to `revision`. */
  compact(revision: number): void {
    this.drop(this.firstAfter(revision));
    this.forgotten = Math.max(this.forgotten, revision);
  }

  /** Drops events up to `revision`, but for the latest. */
  forget(revision: number): void {
    this.drop(Math.min(this.firstAfter(revision), Math.max(0, this.events.length - LATEST)));
  }

  /** How many of the oldest make room for a quarter of the bounds, so that not every event has to. */
  private excess(): number {
    let [count, size] = [0, this.size];
    const events = this.events.length - (this.bounds.events * 3) / 4;
    while (count < events || size > (this.bounds.size * 3) / 4) size -= this.events[count++]?.size ?? 0;
    return count;
  }

  private drop(count: number): void {
    const dropped = this.events.splice(0, count);
    for (const { size } of dropped) this.size -= size;
    this.forgotten = dropped.at(-1)?.revision ?? this.forgotten;
  }

  private firstAfter(revision: number): number {
    let [low, high] = [0, this.events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
