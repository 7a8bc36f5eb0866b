import type { KubeObject } from '../api/objects/kube-object.js';
import { objectKey, type ObjectKey } from '../api/objects/object-key.js';
import { isOldOrSame } from './resource-version.js';

interface ObservedDeletion {
  readonly uid: string | undefined;
  /** The last cached version of the deleted object. */
  readonly resourceVersion: string;
  /** How many lists had begun before the deletion. */
  readonly listsBegun: number;
}

/**
 * Own deletions, until their events arrive. They hide the deleted objects from late events, answers and lists.
 *
 * A deletion is kept until its event, a newer object of the same name, or a list begun after it.
 */
export class ObservedDeletions {
  private readonly byKey = new Map<ObjectKey, ObservedDeletion>();

  keys(): Iterable<ObjectKey> {
    return this.byKey.keys();
  }

  add(deleted: KubeObject, listsBegun: number): void {
    const { uid, resourceVersion = '' } = deleted.metadata;
    this.byKey.set(objectKey(deleted), { uid, resourceVersion, listsBegun });
  }

  /** Reports whether a state belongs to the deleted object or to one that existed before it. */
  hides({ metadata }: KubeObject, key: ObjectKey): boolean {
    const deletion = this.byKey.get(key);
    if (!deletion) return false;
    return metadata.uid === deletion.uid || isOldOrSame(metadata.resourceVersion ?? '', deletion.resourceVersion);
  }

  /** Removes the deletion of an object after its event has arrived. */
  confirm({ metadata }: KubeObject, key: ObjectKey): void {
    if (this.byKey.get(key)?.uid === metadata.uid) this.byKey.delete(key);
  }

  /** Removes the deletion of a key that a newer object has taken. */
  remove(key: ObjectKey): void {
    this.byKey.delete(key);
  }

  /** Removes the deletions that happened before the last list began. */
  removeBefore(listsBegun: number): void {
    for (const [key, deletion] of this.byKey) if (deletion.listsBegun < listsBegun) this.byKey.delete(key);
  }
}
