import type { KubeObject } from '../api/kube-object.js';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';

/** A change of one object, or a bookmark. The object of a bookmark only has a resourceVersion to resume from. */
export interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: WatchEventType;
  readonly object: T;
}
