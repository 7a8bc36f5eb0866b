import { expired } from '../errors/status-error.js';
import type { StoreEvent } from './stored-object.js';

/** The minimum size of kube-apiserver's watch cache per resource. */
const LATEST = 100;

/** The number of events that keep their encoded form; watchers are rarely further behind. */
const ENCODED = 1000;

/** Limits on the history of one resource; whichever is reached first applies. */
export interface HistoryBounds {
  readonly events: number;
  /** Characters of the objects' JSON. */
  readonly size: number;
}

/** The recent events of one resource, oldest first. */
export class EventHistory {
  private readonly events: StoreEvent[] = [];
  private size = 0;

  constructor(
    /** Events up to this revision were dropped. */
    private forgotten: number,
    private readonly bounds: HistoryBounds,
  ) {}

  add(event: StoreEvent): void {
    this.events.push(event);
    this.size += event.size;
    this.events.at(-1 - ENCODED)?.dropEncoded();
    if (this.events.length > this.bounds.events || this.size > this.bounds.size) this.drop(this.excess());
  }

  /**
   * Returns the events after `revision`.
   * @throws StatusError 410 when some of them were dropped
   */
  since(revision: number): readonly StoreEvent[] {
    if (revision < this.forgotten) throw expired(`too old resource version: ${revision} (${this.forgotten})`);
    return this.events.slice(this.firstAfter(revision));
  }

  /** Drops all events up to `revision`. */
  compact(revision: number): void {
    this.drop(this.firstAfter(revision));
    this.forgotten = Math.max(this.forgotten, revision);
  }

  /** Drops events up to `revision`, except the latest. */
  forget(revision: number): void {
    this.drop(Math.min(this.firstAfter(revision), Math.max(0, this.events.length - LATEST)));
  }

  /** The number of oldest events to drop so that a quarter of the limits is free; avoids dropping on every event. */
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
