import { expired } from '../errors/status-error.js';
import type { ApiObject } from '../objects/api-object.js';
import { Collection } from './collection.js';
import type { HistoryBounds } from './event-history.js';
import { checkSize } from './request-limit.js';
import { StoredObject, StoreEvent, type EventType } from './stored-object.js';

export interface ObjectStoreOptions {
  /** What is kept of one resource for watches and consistent lists; default: 10,000 events, 64 million characters. */
  readonly history?: Partial<HistoryBounds>;
  /** Told of each change before anyone sees it; when it throws, the change does not happen. */
  readonly journal?: ((collection: string, event: StoreEvent) => void) | undefined;
}

const HISTORY: HistoryBounds = { events: 10_000, size: 64_000_000 };

/**
 * Every object of the server, under one revision counter.
 *
 * All of it is synchronous: what happens between two awaits happens at once, which is what makes
 * read-check-write safe without locks.
 */
export class ObjectStore {
  private latest = 1;
  /** What happened up to this revision is known to nobody: it was before a restart. */
  private oldest = 0;
  /** Lists go back no further, whatever watches are still told of. */
  private forgotten = 0;
  private readonly collections = new Map<string, Collection>();
  private readonly writeListeners = new Set<() => void>();

  constructor(private readonly options: ObjectStoreOptions = {}) {}

  /** The revision of the last write. */
  get revision(): number {
    return this.latest;
  }

  collection(name: string): Collection {
    let collection = this.collections.get(name);
    if (!collection) {
      // A resource without events has none to miss, so a watch of it from any earlier revision is complete.
      collection = new Collection(name, this.oldest, { ...HISTORY, ...this.options.history });
      this.collections.set(name, collection);
    }
    return collection;
  }

  /** The objects as they were at `revision`, by key in order; 410 when that is forgotten. */
  at(collection: string, revision: number): StoredObject[] {
    if (revision < this.forgotten) throw expired(`too old resource version: ${revision} (${this.forgotten})`);
    return this.collection(collection).at(revision);
  }

  get(collection: string, key: string): StoredObject | undefined {
    return this.collection(collection).objects.get(key);
  }

  /** Stores the object under the next revision. */
  put(collection: string, key: string, object: ApiObject): StoredObject {
    return this.write(collection, this.get(collection, key) ? 'MODIFIED' : 'ADDED', key, object);
  }

  remove(collection: string, key: string): StoredObject | undefined {
    const present = this.get(collection, key);
    return present && this.write(collection, 'DELETED', key, present.object);
  }

  /** Removes the object after a last change of it, in one event. */
  removeAs(collection: string, key: string, last: ApiObject): StoredObject {
    return this.write(collection, 'DELETED', key, last);
  }

  /** Puts back what was stored before, as if it had always been there: no event, no journal. */
  restore(collection: string, key: string, object: ApiObject, revision: number): void {
    this.latest = Math.max(this.latest, revision);
    this.collection(collection).restore(new StoredObject(key, object, revision));
  }

  /** Goes on counting after `revision`; watches and lists from before it get 410. */
  resumeAt(revision: number): void {
    this.latest = Math.max(this.latest, revision);
    this.oldest = this.latest;
    this.compact();
  }

  /** Forgets all history, so that older watches and continued lists get 410. */
  compact(): void {
    for (const collection of this.collections.values()) collection.compact(this.latest);
  }

  /** Forgets history up to `revision`, but for what watches need of each resource. */
  forget(revision: number): void {
    this.forgotten = revision;
    for (const collection of this.collections.values()) collection.forget(revision);
  }

  /** Tells of each write after it has happened, until the returned function is called. */
  onWrite(listener: () => void): () => void {
    this.writeListeners.add(listener);
    return () => this.writeListeners.delete(listener);
  }

  private write(name: string, type: EventType, key: string, object: ApiObject): StoredObject {
    const collection = this.collection(name);
    const revision = this.latest + 1;
    const metadata = { ...object.metadata, resourceVersion: String(revision) };
    const stored = new StoredObject(key, { ...object, metadata }, revision);
    const event = new StoreEvent(type, stored, collection.objects.get(key));
    if (type !== 'DELETED') checkSize(stored);
    this.options.journal?.(name, event);
    this.latest = revision;
    collection.apply(event);
    collection.publish(event);
    for (const listener of this.writeListeners) listener();
    return stored;
  }
}
