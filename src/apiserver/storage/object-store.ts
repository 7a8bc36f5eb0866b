import { expired } from '../errors/status-error.js';
import type { ApiObject } from '../objects/api-object.js';
import { Collection } from './collection.js';
import type { HistoryBounds } from './event-history.js';
import { assertSize } from './request-limit.js';
import { StoredObject, StoreEvent, type EventType } from './stored-object.js';

export interface ObjectStoreOptions {
  /**
   * Limits on the history of each resource for watches and consistent lists; default: 10,000 events, 64 million
   * characters.
   */
  readonly history?: Partial<HistoryBounds>;
  /** Called before a change becomes visible; if it throws, the change is not made. */
  readonly journal?: ((collection: string, event: StoreEvent) => void) | undefined;
}

const HISTORY: HistoryBounds = { events: 10_000, size: 64_000_000 };

/**
 * The objects of the server, in collections of one resource each, under one revision counter.
 *
 * Concurrency: all methods are synchronous: code between two awaits runs atomically, so read-check-write sequences need no
 * locks.
 * Order: each write has the next revision. During the call, subscribers of the collection get its event, then listeners
 * of `onWrite` are called; both already read the new state, and get the changes in the order of their revisions. The
 * objects of a collection are ordered by key.
 * Idempotence: none. A write of an equal object is a further revision and event; callers compare before they write.
 * `remove` of a missing object does nothing.
 * Ownership: objects are shared with all readers and must not be changed, neither by the caller of a write.
 * Errors: a write of an object that is too large, or one that the journal rejects, throws and changes nothing; the next
 * write gets its revision. Reading a dropped revision throws StatusError 410.
 */
export class ObjectStore {
  private latest = 1;
  /** Events up to this revision were lost in a restart. */
  private oldest = 0;
  /** Lists cannot read revisions before this one, even if watches can resume there. */
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
      // A resource without events has missed none, so a watch of it can resume from any earlier revision.
      collection = new Collection(name, this.oldest, { ...HISTORY, ...this.options.history });
      this.collections.set(name, collection);
    }
    return collection;
  }

  /**
   * Returns the objects as they were at `revision`, ordered by key.
   * @throws StatusError 410 when the revision was dropped
   */
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

  /** Changes and removes an object in one event. */
  removeAs(collection: string, key: string, last: ApiObject): StoredObject {
    return this.write(collection, 'DELETED', key, last);
  }

  /** Adds a persisted object without an event or a journal entry. */
  restore(collection: string, key: string, object: ApiObject, revision: number): void {
    this.latest = Math.max(this.latest, revision);
    this.collection(collection).restore(new StoredObject(key, object, revision));
  }

  /** Sets the current revision to `revision`; watches and lists from before it get 410. */
  resumeAt(revision: number): void {
    this.latest = Math.max(this.latest, revision);
    this.oldest = this.latest;
    this.compact();
  }

  /** Drops all history, so that older watches and continued lists get 410. */
  compact(): void {
    for (const collection of this.collections.values()) collection.compact(this.latest);
  }

  /** Drops history up to `revision`, except the events that watches need. */
  forget(revision: number): void {
    this.forgotten = revision;
    for (const collection of this.collections.values()) collection.forget(revision);
  }

  /** Calls the listener after each write. Returns an unsubscribe function. */
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
    if (type !== 'DELETED') assertSize(stored);
    this.options.journal?.(name, event);
    this.latest = revision;
    collection.apply(event);
    collection.publish(event);
    for (const listener of this.writeListeners) listener();
    return stored;
  }
}
