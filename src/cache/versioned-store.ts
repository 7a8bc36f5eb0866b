import type { KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import type { ChangeOf } from '../api/events/object-event.js';
import { objectKey, type ObjectKey } from '../api/objects/object-key.js';
import { ListedObjects, pushChange } from './listed-objects.js';
import { DeselectedWrites } from './deselected-writes.js';
import { ObservedDeletions } from './observed-deletions.js';
import { isNewer, isOldOrSame } from './resource-version.js';
import type { Store } from './store.js';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** Called after the store has changed. */
export interface StoreListener<T extends KubeObject = KubeObject> {
  changed(events: readonly ChangeOf<T>[]): void;
  /** Called after a list was applied, and after `changed` with its changes. */
  replaced(): void;
}

/**
 * Applies lists, watch events and own writes of one kind and scope to a store, and reports the changes.
 *
 * Guarantees:
 * - State never goes back: an event that is not newer than `resourceVersion` and than its object is ignored.
 * - Replaying the changes on an empty map results in the store. An object that was replaced by another of the same name
 *   is a delete and an add; an object missing from a list is a delete with its last known state; an unchanged object
 *   causes no change.
 * - A list replaces the store, except for own writes that were observed after the list was requested and that are newer
 *   than it. An earlier own write that is missing from a consistent list no longer exists (etcd was restored), and an
 *   object that the list shows in an older version is set back.
 * - Objects of a list with the uid and version of the stored one count as unchanged, unless the list is compared in full: in
 *   another history of etcd, another object can have that version.
 *
 * Assumptions: lists are consistent reads, and the versions of a resource are ordered. Not for concurrent use: every
 * method is synchronous.
 */
export class VersionedStore<T extends KubeObject = KubeObject> {
  /** The latest resource version of the store; empty before the first list. */
  resourceVersion = '';
  /** The resource version of the last list after the first one; empty before it. */
  relistedVersion = '';
  private hasList = false;
  private listsBegun = 0;
  /** Observed writes without their event yet, each with the number of lists begun before it. */
  private readonly unconfirmed = new Map<ObjectKey, number>();
  private readonly deletions = new ObservedDeletions();
  private readonly deselected = new DeselectedWrites();
  /** The list that is being read. */
  private listed: ListedObjects<T> | undefined;

  constructor(
    private readonly store: Store<T>,
    private readonly listener: StoreListener<T>,
  ) {}

  /**
   * Must be called before a list is requested. Returns what the objects of the list are added to; a list that was begun
   * before is dropped.
   *
   * @param inFull true to compare also the content of objects with equal uid and version; their updates are corrections
   */
  beginReplace(inFull = false): ListedObjects<T> {
    this.listsBegun += 1;
    this.listed = new ListedObjects(this.store, !this.hasList, inFull);
    return this.listed;
  }

  /** Returns whether a list shows an earlier state than the store: etcd was restored. Equal versions may then differ. */
  isRewoundBy(resourceVersion: string): boolean {
    return isNewer(this.resourceVersion, resourceVersion);
  }

  /** Replaces the objects by those of the list that was begun last, which must be complete. */
  replace(listed: ListedObjects<T>, resourceVersion: string): void {
    this.keepUnconfirmed(listed.byKey, resourceVersion);
    this.keepDeletions(listed.byKey);
    this.deselected.applyToList(listed.byKey, resourceVersion, this.listsBegun);
    const events = listed.finish();
    this.listed = undefined;
    this.store.replace(listed.byKey, events);
    this.resourceVersion = resourceVersion;
    if (this.hasList) this.relistedVersion = resourceVersion;
    this.hasList = true;
    this.listener.changed(events);
    this.listener.replaced();
  }

  /** Applies one event of the watch. */
  apply(type: ChangeType, object: T): void {
    const version = versionOf(object);
    if (isOldOrSame(version, this.resourceVersion)) return;
    this.resourceVersion = version;
    const key = objectKey(object);
    const isHidden = this.deselected.hides(key, version, type === 'DELETED');
    this.deselected.removeUntil(version);
    if (isHidden) return;
    if (this.deletions.hides(object, key)) {
      if (type === 'DELETED') this.deletions.confirm(object, key);
      return;
    }
    const old = this.store.get(key);
    if (type === 'DELETED') this.remove(key, old, object);
    else if (old && isNewer(versionOf(old), version)) return;
    else {
      this.unconfirmed.delete(key);
      if (!old || versionOf(old) !== version) this.put(key, old, object);
    }
  }

  bookmark(resourceVersion: string): void {
    if (isOldOrSame(resourceVersion, this.resourceVersion)) return;
    this.resourceVersion = resourceVersion;
    this.deselected.removeUntil(resourceVersion);
  }

  /**
   * Applies the response to an own write before its event arrives.
   *
   * Ignored unless it is newer than the store: otherwise its event was already applied, and possibly the deletion of
   * the object too.
   */
  observe(object: T): void {
    const version = versionOf(object);
    if (!this.hasList || !isNewer(version, this.resourceVersion)) return;
    const key = objectKey(object);
    if (this.deletions.hides(object, key) || this.deselected.hides(key, version)) return;
    const old = this.store.get(key);
    if (old && !isNewer(version, versionOf(old))) return;
    this.unconfirmed.set(key, this.listsBegun);
    this.deselected.remove(key);
    this.put(key, old, object);
  }

  /**
   * Applies the response to an own write that the selectors of the store do not match, before its event arrives: the
   * object is removed if the store holds it. Ignored like a response that is not newer than the store.
   */
  observeDeselected(object: KubeObject): void {
    const version = versionOf(object);
    if (!this.hasList || !isNewer(version, this.resourceVersion)) return;
    const key = objectKey(object);
    const old = this.store.get(key);
    if (this.deselected.hides(key, version) || (old && !isNewer(version, versionOf(old)))) return;
    this.deselected.add(key, version, this.listsBegun);
    this.unconfirmed.delete(key);
    this.listed?.touch(key);
    if (!old) return;
    this.store.delete(key);
    this.listener.changed([{ type: 'delete', object: old }]);
  }

  /**
   * Removes an object that an own write has deleted, ahead of its event.
   *
   * Only the name, namespace and uid of the given object matter. Ignored unless the store holds that very object:
   * otherwise its event has passed.
   */
  observeDeletion(deleted: ReadonlyDeep<KubeObject>): void {
    const key = objectKey(deleted);
    const old = this.store.get(key);
    if (old?.metadata.uid === undefined || old.metadata.uid !== deleted.metadata.uid) return;
    this.deletions.add(old, this.listsBegun);
    this.unconfirmed.delete(key);
    this.listed?.touch(key);
    this.store.delete(key);
    this.listener.changed([{ type: 'delete', object: old }]);
  }

  /** A list that was requested before an own deletion may still show the object. */
  private keepDeletions(objects: Map<ObjectKey, T>): void {
    this.deletions.removeBefore(this.listsBegun);
    for (const key of this.deletions.keys()) {
      const object = objects.get(key);
      if (object && this.deletions.hides(object, key)) objects.delete(key);
    }
  }

  private keepUnconfirmed(objects: Map<ObjectKey, T>, resourceVersion: string): void {
    for (const [key, listsBegun] of this.unconfirmed) {
      const written = this.store.get(key);
      if (written && listsBegun === this.listsBegun && isNewer(versionOf(written), resourceVersion)) {
        objects.set(key, written);
      } else this.unconfirmed.delete(key);
    }
  }

  private put(key: ObjectKey, old: T | undefined, object: T): void {
    const events: ChangeOf<T>[] = [];
    if (old) pushChange(events, old, object);
    else events.push({ type: 'add', object, isInitial: false });
    this.deletions.remove(key);
    this.listed?.touch(key);
    this.store.set(key, object);
    this.listener.changed(events);
  }

  private remove(key: ObjectKey, old: T | undefined, object: T): void {
    if (!old || isNewer(versionOf(old), versionOf(object))) return;
    this.unconfirmed.delete(key);
    this.listed?.touch(key);
    this.store.delete(key);
    this.listener.changed([{ type: 'delete', object: old.metadata.uid === object.metadata.uid ? object : old }]);
  }
}

function versionOf(object: KubeObject): string {
  return object.metadata.resourceVersion ?? '';
}
