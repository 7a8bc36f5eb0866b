import type { LabelSelector } from '../api/label-selector.js';

/** What all calls take. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default 30,000; for a watch until it begins. */
  readonly timeoutMs?: number | undefined;
}

/** What calls take that change nothing, and so are tried again when they fail in passing. */
export interface ReadOptions extends CallOptions {
  /** How often, at most, to try again after a lost connection, a 429 or a 5xx. Default 4. */
  readonly retries?: number | undefined;
}

export interface GetOptions extends ReadOptions {
  readonly namespace?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Which objects of a kind. */
export interface SelectionOptions {
  /** Default: those of all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | LabelSelector | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  /** Default false: managedFields are often half of an object, and of use only to who edits them. */
  readonly keepManagedFields?: boolean | undefined;
}

export interface ListOptions extends SelectionOptions, ReadOptions {
  /** Objects in one page; all pages are read. 0 asks for all at once. Default 500. */
  readonly limit?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Default: the object's own. */
  readonly namespace?: string | undefined;
  readonly subresource?: string | undefined;
  /** Validates and answers as if, but changes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Who owns the fields set. Default: the client's. */
  readonly fieldManager?: string | undefined;
}

export interface PatchOptions extends WriteOptions {
  /** Default `merge`. `strategic` works on built-in kinds only. */
  readonly type?: 'merge' | 'json' | 'strategic' | undefined;
}

export interface ApplyOptions extends WriteOptions {
  /** Takes fields over that other managers own, instead of failing with a ConflictError. */
  readonly force?: boolean | undefined;
}

export interface DeleteOptions extends CallOptions {
  readonly namespace?: string | undefined;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  /** Deletes this incarnation only; otherwise ConflictError. */
  readonly preconditions?:
    { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
}

export interface WatchOptions extends SelectionOptions, CallOptions {
  /** When the server is to end the stream. Default: as the server likes, 30 to 60 minutes. */
  readonly timeoutSeconds?: number | undefined;
  /** Default true. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Sends what exists first, then a bookmark annotated `k8s.io/initial-events-end` (KEP-3157). */
  readonly sendInitialEvents?: boolean | undefined;
  /** Gives the stream up when no complete event or bookmark came for that long. Default: never. */
  readonly inactivityMs?: number | undefined;
  /** Called when the server has accepted the watch. */
  readonly onOpen?: (() => void) | undefined;
}

/** One HTTP request as it is. */
export interface RawRequest extends CallOptions {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON, unless it is a string. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  /** Default 4 for GET, else 0. */
  readonly retries?: number | undefined;
}
