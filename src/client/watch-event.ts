import type { KubeObject } from '../api/kube-object.js';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';

/** A change of one object, or a bookmark, whose object has nothing but a resourceVersion to resume at. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: WatchEventType;
  readonly object: T;
}
