import type { KubeObject } from '../../api/objects/kube-object.js';
import type { EventCause, RunRef } from '../../api/reconcile/reconcile-observer.js';
import { LruMap } from './lru-map.js';

/** Writes remembered at most; events of older ones count as changes by others. */
const CAPACITY = 10_000;

/**
 * Recognizes the events that reconciles of this process caused, by the resourceVersion that the server returned for
 * the write.
 *
 * One instance is shared by all controllers of a manager, so that the write of one is recognized by the others.
 */
export class OwnWrites {
  private readonly runs = new LruMap<RunRef>(CAPACITY);

  /** Must be called with the answer to a write before the answer reaches the cache. */
  wrote({ metadata }: KubeObject, { id, controller, key }: RunRef): void {
    const { uid, resourceVersion } = metadata;
    if (uid && resourceVersion) this.runs.set(versionKey(uid, resourceVersion), { id, controller, key });
  }

  deleted(uid: string, { id, controller, key }: RunRef): void {
    this.runs.set(versionKey(uid, DELETED), { id, controller, key });
  }

  /** Returns the reconcile with the write that led to the event. A correction is that of a lost history of the server. */
  runOf({ event }: EventCause): RunRef | undefined {
    if (event.type === 'update' && event.isCorrection === true) return undefined;
    const { uid, resourceVersion, deletionTimestamp } = event.object.metadata;
    if (!uid || !resourceVersion) return undefined;
    const run = this.runs.get(versionKey(uid, resourceVersion));
    if (run) return run;
    const isDeletion =
      event.type === 'delete' ||
      (event.type === 'update' && deletionTimestamp && !event.old.metadata.deletionTimestamp);
    return isDeletion ? this.runs.get(versionKey(uid, DELETED)) : undefined;
  }
}

const DELETED = 'deleted';

function versionKey(uid: string, version: string): string {
  return `${uid}/${version}`;
}
