import { EventHistory, type HistoryBounds } from './event-history.js';
import type { StoredObject, StoreEvent } from './stored-object.js';

export type EventListener = (event: StoreEvent) => void;

/** All objects of one resource, sorted by key, and their recent history. */
export class Collection {
  readonly objects = new Map<string, StoredObject>();
  private readonly keys: string[] = [];
  private readonly listeners = new Set<EventListener>();
  private readonly history: EventHistory;

  constructor(
    readonly name: string,
    createdAt: number,
    bounds: HistoryBounds,
  ) {
    this.history = new EventHistory(createdAt, bounds);
  }

  /** Returns the objects with keys that start with `prefix`, in order, after the key `after`. */
  *range(prefix: string, after = ''): Generator<StoredObject> {
    const start = after > prefix ? after : prefix;
    for (let index = this.search(start); index < this.keys.length; index++) {
      const key = this.keys[index] ?? '';
      if (!key.startsWith(prefix)) return;
      const object = this.objects.get(key);
      if (object && key !== after) yield object;
    }
  }

  /** Adds an object without an event. */
  restore(stored: StoredObject): void {
    if (!this.objects.has(stored.key)) this.insertKey(stored.key);
    this.objects.set(stored.key, stored);
  }

  apply(event: StoreEvent): void {
    const { key } = event.current;
    if (event.type === 'DELETED') {
      this.objects.delete(key);
      this.keys.splice(this.search(key), 1);
    } else {
      if (!this.objects.has(key)) this.insertKey(key);
      this.objects.set(key, event.current);
    }
    this.history.add(event);
  }

  publish(event: StoreEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  subscribe(listener: EventListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Returns the events after `revision`, oldest first.
   * @throws StatusError 410 when some of them were dropped
   */
  since(revision: number): readonly StoreEvent[] {
    return this.history.since(revision);
  }

  /** Returns the objects as they were at `revision`, ordered by key. */
  at(revision: number): StoredObject[] {
    const later = this.since(revision);
    if (later.length === 0) return [...this.range('')];
    const objects = new Map(this.objects);
    for (const event of later.toReversed()) {
      if (event.previous) objects.set(event.current.key, event.previous);
      else objects.delete(event.current.key);
    }
    return [...objects.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Drops all history up to `revision`, as a compaction does. */
  compact(revision: number): void {
    this.history.compact(revision);
  }

  /**
   * Drops history up to `revision`, except the latest events: watches of resources that rarely change can resume from
   * there.
   */
  forget(revision: number): void {
    this.history.forget(revision);
  }

  private insertKey(key: string): void {
    const last = this.keys.at(-1);
    if (last === undefined || last < key) this.keys.push(key);
    else this.keys.splice(this.search(key), 0, key);
  }

  /** Returns the index of the first key not below `key`. */
  private search(key: string): number {
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
