import type { KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';

/** What part of a kind is followed. */
export interface WatchScope {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListRequest extends WatchScope {
  readonly keepManagedFields: boolean;
  /** How often the client is to try again by itself. */
  readonly retries: number;
  readonly signal: AbortSignal;
}

export interface WatchRequest extends WatchScope {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number;
  readonly keepManagedFields: boolean;
  readonly signal: AbortSignal;
  /** Called when the server has accepted the watch. */
  readonly onOpen?: () => void;
}

/** What a reflector needs of a client; Client has it. */
export interface ListWatcher {
  /** A consistent read of all objects in scope. */
  list(
    kind: KindRef,
    request: ListRequest,
  ): Promise<{ readonly items: readonly KubeObject[]; readonly resourceVersion: string }>;
  /** Resolves when the server ends the stream, rejects when anything else does; an ERROR event is a rejection. */
  streamWatch(kind: KindRef, request: WatchRequest, onEvent: (type: string, object: KubeObject) => void): Promise<void>;
}
