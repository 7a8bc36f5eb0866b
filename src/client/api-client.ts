import { callTimeout } from './call-timeout.js';
import { isDeleted } from '../api/objects/is-deleted.js';
import { resourceName, toKindRef, type KindLike, type KindRef, type ObjectOf } from '../api/kinds/kind-ref.js';
import type { Desired, KubeObject } from '../api/objects/kube-object.js';
import { assertHoldsWhole } from '../api/selection/part-of.js';
import {
  subresourceKind,
  type CreatedSubresource,
  type Subresource,
  type SubresourceInput,
  type SubresourceObject,
} from '../api/kinds/subresource.js';
import { captureStack } from '../base/capture-stack.js';
import { OperatorError } from '../base/operator-error.js';
import { assertList, versionOfList, type ListPage } from './assert-list.js';
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  GetOptions,
  InterceptOptions,
  ListOptions,
  OutgoingRequest,
  PatchOptions,
  RawRequest,
  RequestInterceptor,
  RequestTarget,
  WatchOptions,
  WriteOptions,
} from './client-options.js';
import { isServed } from './discovery.js';
import { collectionPath, creationPath, objectPath, addressOf } from './object-path.js';
import { complete, preparePage, readPages, type KubeList } from './pager.js';
import { listNamespaces } from './part-namespaces.js';
import { acceptOf, listParameters, type QueryValue } from './query.js';
import type { Watcher } from './watch/watcher.js';
import type { WatchEvent } from './watch/watch-decoder.js';
import { iterateWatch } from './watch/watch-iterator.js';

/** The parts that a client shares with the clients that intercept its requests. */
export interface ApiClientParts extends Pick<InterceptOptions, 'impersonate'> {
  /** Sends a request and returns the JSON of its response. */
  readonly send: (request: OutgoingRequest) => Promise<unknown>;
  readonly watcher: Watcher;
  /** The default of writes. */
  readonly fieldManager: string;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_PAGE = 500;
/** The default time limit of a list without pages, which can be large. */
const WHOLE_LIST_TIMEOUT_MS = 300_000;

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/**
 * The typed calls to one API server, for built-in kinds and classes with `@Kind`.
 *
 * With the option `subresource`, a call reads or writes a subresource of the named object, of its own type: `scale`,
 * `eviction`, `token` and `binding`; the others, such as `status`, have the type of the kind.
 *
 * Guarantees: reads are retried after a refused or lost connection, a 429 or a 5xx. Writes are retried only if the
 * server did not start to process them (429, 503 with Retry-After). Credentials are renewed when they expire or are
 * rejected.
 *
 * Order: calls run concurrently and in no order; await a call that must precede another. A list has the state of one
 * resourceVersion, also over several pages.
 *
 * Idempotence: `apply` can be repeated. Repeated after a lost response, `create` throws AlreadyExistsError, `update` with a
 * resourceVersion ConflictError, and `delete` NotFoundError.
 *
 * Errors: a subclass of ApiError if the server rejects a request, ConnectionError if it cannot be reached or does not
 * respond, and the signal's reason if a call is aborted.
 */
export class ApiClient {
  constructor(protected readonly parts: ApiClientParts) {}

  /** Returns one object. Throws NotFoundError if it does not exist. */
  async get<K extends KindLike, const S extends Subresource = never>(
    kind: K,
    name: string,
    options: GetOptions<S> = {},
  ): Promise<SubresourceObject<K, S>> {
    const { namespace, subresource, resourceVersion } = options;
    const target = { kind: toKindRef(kind), name, namespace, subresource };
    return this.send(requestOf('GET', target, options, { query: { resourceVersion } }));
  }

  /** Returns the selected objects, read in pages, of one namespace or by default of all namespaces, or those of the part. */
  async list<K extends KindLike>(kind: K, options: ListOptions = {}): Promise<KubeList<ObjectOf<K>>> {
    const ref = toKindRef(kind);
    const read = (namespace: string | undefined) => this.readList(ref, { ...options, namespace });
    return (await listNamespaces(ref, options.namespace, read)) as unknown as KubeList<ObjectOf<K>>;
  }

  private readList(ref: KindRef, options: ListOptions): Promise<KubeList> {
    const { limit = DEFAULT_PAGE, keepManagedFields = false, transform } = options;
    const selection = listParameters(ref, options);
    const fetch = async (pageSize: number, token: string | undefined): Promise<ListPage> => {
      // The token contains the resourceVersion; the server rejects a request with both.
      const position =
        token === undefined ? {} : { continue: token, resourceVersion: undefined, resourceVersionMatch: undefined };
      const timeout = callTimeout(options) ?? (pageSize === 0 ? WHOLE_LIST_TIMEOUT_MS : undefined);
      // A later page is repeated in any case: to start again would read all earlier pages again.
      const retries = token === undefined ? options.retries : undefined;
      const query = { ...selection, ...(pageSize > 0 && { limit: pageSize }), ...position };
      const read = await this.listCall(ref, { ...options, timeout, retries }, query);
      return preparePage(ref, read, keepManagedFields, transform);
    };
    return readPages(fetch, limit);
  }

  /** Returns the resource version that the server has now, by a list of at most one of the selected objects. */
  async currentVersion(kind: KindLike, options: ListOptions = {}): Promise<string> {
    const ref = toKindRef(kind);
    return versionOfList(ref, await this.listCall(ref, options, { ...listParameters(ref, options), limit: 1 }));
  }

  /**
   * Creates an object, or with `subresource` a subresource of the object that `metadata` names.
   *
   * @throws DisruptionBudgetError if a PodDisruptionBudget does not allow an eviction now. It is not retried.
   */
  async create<K extends KindLike, const S extends Subresource = never>(
    kind: K,
    object: Desired<SubresourceInput<K, S> & KubeObject>,
    options: WriteOptions<S> = {},
  ): Promise<CreatedSubresource<K, S>> {
    const target = addressOf(kind, object, options);
    const request = { path: creationPath(target.kind, target), query: this.writeQuery(options) };
    return this.send(
      requestOf('POST', target, options, { ...request, body: bodyOf(target.kind, object, options.subresource) }),
    );
  }

  /** Replaces an object (PUT). Throws ConflictError if its resourceVersion is out of date, E_PART for a part of fields. */
  async update<K extends KindLike, const S extends Subresource = never>(
    kind: K,
    object: SubresourceInput<K, S> & KubeObject,
    options: WriteOptions<S> = {},
  ): Promise<SubresourceObject<K, S>> {
    const target = addressOf(kind, object, options);
    assertHoldsWhole(target.kind);
    const body = bodyOf(target.kind, object, options.subresource);
    return this.send(requestOf('PUT', target, options, { query: this.writeQuery(options), body }));
  }

  /** Patches an object (PATCH). */
  async patch<K extends KindLike, const S extends Subresource = never>(
    kind: K,
    name: string,
    patch: unknown,
    options: PatchOptions<S> = {},
  ): Promise<SubresourceObject<K, S>> {
    const { namespace, subresource, type = 'merge' } = options;
    const target = { kind: toKindRef(kind), name, namespace, subresource };
    const query = this.writeQuery(options);
    return this.send(requestOf('PATCH', target, options, { query, body: patch, contentType: PATCH_TYPES[type] }));
  }

  /** Creates or updates an object by server-side apply, and owns the fields that `object` contains. */
  async apply<K extends KindLike, const S extends Subresource = never>(
    kind: K,
    object: Desired<SubresourceInput<K, S> & KubeObject>,
    options: ApplyOptions<S> = {},
  ): Promise<SubresourceObject<K, S>> {
    const target = addressOf(kind, object, options);
    const query = { ...this.writeQuery(options), force: options.force };
    const body = bodyOf(target.kind, object, options.subresource);
    return this.send(requestOf('PATCH', target, options, { query, body, contentType: PATCH_TYPES.apply }));
  }

  /**
   * Deletes an object. Resolves to the object if finalizers or its grace period delay the deletion, otherwise to
   * undefined. Objects that it owns are deleted afterwards; the server's own default orphans the Pods of a Job.
   *
   * @throws NotFoundError if the object does not exist; ConflictError if a precondition does not hold.
   */
  async delete<K extends KindLike>(
    kind: K,
    name: string,
    options: DeleteOptions = {},
  ): Promise<ObjectOf<K> | undefined> {
    const { namespace, propagationPolicy = 'Background', gracePeriodSeconds, preconditions } = options;
    const target = { kind: toKindRef(kind), name, namespace };
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, gracePeriodSeconds, preconditions };
    const response = await this.send<Partial<KubeObject>>(requestOf('DELETE', target, options, { body }));
    // For some kinds the server returns a Status, for others the object that it has just removed from storage.
    const isPending = response.metadata?.deletionTimestamp !== undefined && !isDeleted(response as KubeObject);
    return isPending ? (response as ObjectOf<K>) : undefined;
  }

  /**
   * Iterates over the changes of a kind. Leaving the `for await` loop ends the watch.
   *
   * The iteration ends when the server ends the stream. Use an Informer to watch a kind without end.
   */
  watch<K extends KindLike>(kind: K, options: WatchOptions = {}): AsyncIterable<WatchEvent<ObjectOf<K> & KubeObject>> {
    const ref = toKindRef(kind);
    const { watcher, impersonate } = this.parts;
    return iterateWatch(
      (onEvent, onFlow, signal) => watcher.stream(ref, { ...options, signal, impersonate }, onEvent, onFlow),
      either(this.parts.signal, options.signal),
    );
  }

  /** Returns whether the server serves the kind at its version: false if its CRD is not installed. */
  async serves(kind: KindLike, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<boolean> {
    const ref = toKindRef(kind);
    return isServed(ref, (path) => this.send({ method: 'GET', path, target: { kind: ref }, signal: options.signal }));
  }

  /** Sends any request and returns the JSON of its response, or the text if it is not JSON. */
  async request<T>(request: RawRequest): Promise<T> {
    return this.send(request);
  }

  /**
   * Returns a client that shares the connections of this one and calls `interceptor` instead of sending each request, to
   * measure, change or reject it. Watches are aborted by the signal and not intercepted.
   */
  intercept(interceptor: RequestInterceptor, options: InterceptOptions = {}): ApiClient {
    return new ApiClient(this.interceptedParts(interceptor, options));
  }

  protected interceptedParts(interceptor: RequestInterceptor, options: InterceptOptions): ApiClientParts {
    const { parts } = this;
    const { fieldManager = parts.fieldManager, impersonate = parts.impersonate } = options;
    return {
      ...parts,
      fieldManager,
      impersonate,
      signal: either(parts.signal, options.signal),
      send: (request) => interceptor(impersonate === undefined ? request : { ...request, impersonate }, parts.send),
    };
  }

  private async listCall(ref: KindRef, options: ListOptions, query: Record<string, QueryValue>): Promise<ListPage> {
    const rest = { path: collectionPath(ref, options.namespace), query, accept: acceptOf(ref, 'list') };
    const page = await this.send<ListPage>(
      requestOf('GET', { kind: ref, namespace: options.namespace }, options, rest),
    );
    assertList(ref, options.namespace, page);
    return page;
  }

  private async send<T>(request: OutgoingRequest): Promise<T> {
    const { signal } = this.parts;
    try {
      const sent = signal ? { ...request, signal: either(signal, request.signal) } : request;
      return (await this.parts.send(sent)) as T;
    } catch (error) {
      // An error that was created in a callback of a socket has a stack without the caller.
      throw error instanceof OperatorError ? captureStack(error) : error;
    }
  }

  private writeQuery({ dryRun = false, fieldManager }: WriteOptions): Record<string, QueryValue> {
    return { fieldManager: fieldManager ?? this.parts.fieldManager, dryRun: dryRun ? 'All' : undefined };
  }
}

function requestOf(
  method: string,
  target: RequestTarget,
  options: CallOptions & Pick<RawRequest, 'retries'>,
  { path, query, body, contentType, accept }: Partial<RawRequest>,
): OutgoingRequest {
  const { kind, name, namespace, subresource } = target;
  // Without a spread of the arguments, which would take 1 KB of memory.
  return {
    method,
    path: path ?? objectPath(kind, { name, namespace, subresource }),
    query,
    body,
    contentType,
    accept,
    resource: resourceName(kind),
    target,
    signal: options.signal,
    timeout: callTimeout(options),
    beforeSend: options.beforeSend,
    retries: options.retries,
  };
}

function either(first: AbortSignal | undefined, second: AbortSignal | undefined): AbortSignal | undefined {
  return first && second && first !== second ? AbortSignal.any([first, second]) : (first ?? second);
}

/** Adds apiVersion and kind, which objects to write may omit. */
function bodyOf(ref: KindRef, object: object, subresource: string | undefined): object {
  const own = subresourceKind(subresource);
  return own ? { ...own, ...object } : complete(ref, object);
}
