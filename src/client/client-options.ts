import type { KindRef } from '../api/kinds/kind-ref.js';
import type { Duration } from '../base/duration.js';
import type { LabelSelector } from '../api/selection/label-selector.js';
import type { ItemTransform } from './pager.js';
import type { Subresource } from '../api/kinds/subresource.js';

/** The options of all calls. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each attempt; for a watch, until it starts. Default 30 s. */
  readonly timeout?: Duration | undefined;
  /**
   * Called immediately before each attempt is written to a connection, also if it had to wait for one, and again before
   * the end of a large body is written. If it throws, the call rejects with that error and the server does not process
   * the request.
   */
  readonly beforeSend?: (() => void) | undefined;
}

/** The options of read calls, which are retried after transient failures. */
export interface ReadOptions extends CallOptions {
  /** Maximum number of retries after a refused or lost connection, a 429 or a 5xx. Default 4. */
  readonly retries?: number | undefined;
}

/** Options of `get`. */
export interface GetOptions<S extends Subresource = Subresource> extends ReadOptions {
  readonly namespace?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly subresource?: S | undefined;
}

/** Selects objects of a kind. */
export interface SelectionOptions {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | LabelSelector | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  /** Default false. managedFields are often half of an object, and rarely used. */
  readonly keepManagedFields?: boolean | undefined;
}

/** Options of `list`. */
export interface ListOptions extends SelectionOptions, ReadOptions {
  /** Objects per page; all pages are read. 0 requests all objects in one response. Default 500. */
  readonly limit?: number | undefined;
  /**
   * Called once for each object as soon as its page was received, and before the next page is requested. The list contains
   * what it returns, so that a list of many objects need not hold all of them completely. A list that is read again, because
   * its pages have expired, calls it again.
   */
  readonly transform?: ItemTransform | undefined;
}

/** Options of `create` and `update`. */
export interface WriteOptions<S extends Subresource = Subresource> extends CallOptions {
  /** Maximum number of retries of a write that the server did not start to process. Default 4. */
  readonly retries?: number | undefined;
  /** Default: `metadata.namespace` of the object. */
  readonly namespace?: string | undefined;
  readonly subresource?: S | undefined;
  /** Validates the request and returns its result without storing it. */
  readonly dryRun?: boolean | undefined;
  /** The field manager that owns the fields of this write. Default: the client's. */
  readonly fieldManager?: string | undefined;
}

/** Options of `patch`. */
export interface PatchOptions<S extends Subresource = Subresource> extends WriteOptions<S> {
  /** Default `merge`. `strategic` works on built-in kinds only. */
  readonly type?: 'merge' | 'json' | 'strategic' | undefined;
}

/** Options of `apply`. */
export interface ApplyOptions<S extends Subresource = Subresource> extends WriteOptions<S> {
  /** Takes over fields of other managers instead of failing with a ConflictError. */
  readonly force?: boolean | undefined;
}

/** Options of `delete`. */
export interface DeleteOptions extends CallOptions {
  readonly namespace?: string | undefined;
  /** Default `Background`, as kubectl. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  /** Deletes only the object with this uid and resourceVersion; otherwise fails with a ConflictError. */
  readonly preconditions?:
    { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
}

/** Options of `watch`. */
export interface WatchOptions extends Omit<SelectionOptions, 'keepManagedFields'>, CallOptions {
  /** Default false. managedFields are often half of an object, and rarely used. `initial` keeps those of initial events only. */
  readonly keepManagedFields?: boolean | 'initial' | undefined;
  /** The duration after which the server ends the stream. Default: chosen by the server, 30 to 60 minutes. */
  readonly timeoutSeconds?: number | undefined;
  /** Default true. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Sends the existing objects first, then a bookmark annotated `k8s.io/initial-events-end` (KEP-3157). */
  readonly sendInitialEvents?: boolean | undefined;
  /** Ends the stream with a WatchError (idle) after this time without an event or bookmark. Default: never. */
  readonly inactivityTimeout?: Duration | undefined;
  /** Called when the server has accepted the watch. */
  readonly onOpen?: (() => void) | undefined;
}

/** An arbitrary HTTP request to the API server. */
export interface RawRequest extends CallOptions {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON, unless it is a string. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  /** Additional headers, such as `traceparent`, with names in lower case. Those that the client sends cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default 4. Methods other than GET and HEAD are retried only after a 429, or a 503 with Retry-After. */
  readonly retries?: number | undefined;
}

/** The object or collection of a call. */
export interface RequestTarget {
  readonly kind: KindRef;
  /** Undefined for a collection, and for a create. */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly subresource?: string | undefined;
}

/** A request of a client before it is sent. */
export interface OutgoingRequest extends RawRequest {
  /** Such as `deployments.apps`, for messages. */
  readonly resource?: string | undefined;
  /** Undefined for `request`, which names no kind. */
  readonly target?: RequestTarget | undefined;
  /**
   * The impersonated user of the request.
   *
   * @internal
   */
  readonly impersonate?: string | undefined;
}

/**
 * Called instead of sending a request. Returns what `send` resolves to, or throws to reject the call.
 *
 * Called synchronously within the call of a client's method, once for each page of a list. Retries are made by `send`.
 */
export type RequestInterceptor = (
  request: OutgoingRequest,
  send: (request: OutgoingRequest) => Promise<unknown>,
) => Promise<unknown>;

/** Settings of a client that shares the connections of another. */
export interface InterceptOptions {
  /** Aborts all calls and watches of the client. */
  readonly signal?: AbortSignal | undefined;
  /** The default field manager of writes. Default: that of the other client. */
  readonly fieldManager?: string | undefined;
  /**
   * The impersonated user of all requests and watches.
   *
   * @internal
   */
  readonly impersonate?: string | undefined;
}
