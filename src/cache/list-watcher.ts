import type { KindRef } from '../api/kinds/kind-ref.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import type { WatchEventType } from '../client/watch/watch-decoder.js';

/** The scope of a list or watch. */
export interface WatchScope {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListRequest extends WatchScope {
  readonly keepManagedFields: boolean;
  /** The number of retries that the client makes itself. */
  readonly retries: number;
  /** The time for the response of each page; default 30 s. */
  readonly timeout?: number;
  /** Called with each object before the next page is read; the list contains what it returns. */
  readonly transform?: (item: KubeObject) => KubeObject;
  readonly signal: AbortSignal;
}

export interface WatchRequest extends WatchScope {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly sendInitialEvents?: boolean;
  /** The time for the begin of the response, and between initial events; default 30 s. */
  readonly timeout?: number;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number;
  readonly keepManagedFields: boolean | 'initial';
  readonly signal: AbortSignal;
  /** Called when the server has accepted the watch. */
  readonly onOpen?: () => void;
}

/** The methods of Client that a reflector uses. */
export interface ListWatcher {
  /** Reads all objects in scope consistently. */
  list(
    kind: KindRef,
    request: ListRequest,
  ): Promise<{ readonly items: readonly KubeObject[]; readonly resourceVersion: string }>;
  /** Returns the resource version that the server has now, by a list of at most one object in scope. */
  currentVersion(kind: KindRef, request: Pick<ListRequest, keyof WatchScope | 'signal'>): Promise<string>;
  /**
   * Resolves when the server ends the stream, rejects when anything else does; an ERROR event is a rejection. Objects are
   * of the kind and have a name and a resourceVersion.
   */
  streamWatch(
    kind: KindRef,
    request: WatchRequest,
    onEvent: (type: WatchEventType, object: KubeObject) => void,
  ): Promise<void>;
}
