import type { KubeConfig } from '@kubernetes/client-node';
import { isDeleted } from '../api/is-deleted.js';
import { apiVersionOf, resourceName, toKindRef, type KindLike, type KindRef, type ObjectOf } from '../api/kind-ref.js';
import type { Desired, KubeObject } from '../api/kube-object.js';
import { captureStack } from '../base/capture-stack.js';
import type { Clock } from '../base/clock.js';
import { silentLogger, type Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import type { AccessListener } from './access/access.js';
import { toClusterConfig } from './client-node.js';
import type { ClientMetrics } from './client-metrics.js';
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  RawRequest,
  WatchOptions,
  WriteOptions,
} from './client-options.js';
import type { ClusterConfig } from './config/cluster.js';
import { isServed } from './discovery.js';
import { dropManagedFields } from './drop-managed-fields.js';
import { Transport } from './http/transport.js';
import { collectionPath, creationPath, objectPath } from './object-path.js';
import { readPages, reducePage, type KubeList, type ListPage } from './pager.js';
import { acceptOf, selectorQuery, type QueryValue } from './query.js';
import { Requester } from './requester.js';
import { Watcher } from './watcher.js';
import type { WatchEvent, WatchHandler } from './watch-decoder.js';
import { iterateWatch } from './watch-iterator.js';

export interface ClientOptions {
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  /** The field manager of writes; a call can override it. Default `kindwright`. */
  readonly fieldManager?: string | undefined;
  readonly metrics?: ClientMetrics | undefined;
  /** Called with each access before its request is sent, to record the permissions that a program needs. */
  readonly onAccess?: AccessListener | undefined;
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
 * A typed client of one API server, for built-in kinds and classes with `@Kind`.
 *
 * Life cycle: connections are opened on demand and reused. They do not keep the process alive; `close` ends them.
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
export class Client {
  readonly config: ClusterConfig;
  private readonly transport: Transport;
  private readonly requester: Requester;
  private readonly watcher: Watcher;
  private readonly fieldManager: string;

  /** @param given also a KubeConfig of @kubernetes/client-node, of which the current context is used. */
  constructor(given: ClusterConfig | Pick<KubeConfig, 'exportConfig'>, options: ClientOptions = {}) {
    const config = toClusterConfig(given);
    const {
      logger = silentLogger,
      clock = new SystemClock(),
      fieldManager = 'kindwright',
      metrics,
      onAccess,
    } = options;
    this.config = config;
    this.fieldManager = fieldManager;
    this.transport = new Transport(config, { clock, userAgent: 'kindwright', metrics });
    this.requester = new Requester(this.transport, clock, onAccess);
    this.watcher = new Watcher(this.transport, this.requester, clock);
    if (config.tls?.insecureSkipVerify) {
      logger.warn('the certificate of the API server is not verified', { server: config.server.host });
    }
  }

  /** Returns one object. Throws NotFoundError if it does not exist. */
  async get<K extends KindLike>(kind: K, name: string, options: GetOptions = {}): Promise<ObjectOf<K>> {
    const ref = toKindRef(kind);
    const { namespace, subresource, resourceVersion } = options;
    const path = objectPath(ref, { name, namespace, subresource });
    return this.call(ref, 'GET', path, options, { query: { resourceVersion } });
  }

  /** Returns the selected objects, read in pages, of one namespace or by default of all namespaces. */
  async list<K extends KindLike>(kind: K, options: ListOptions = {}): Promise<KubeList<ObjectOf<K>>> {
    const ref = toKindRef(kind);
    const { limit = DEFAULT_PAGE, keepManagedFields = false } = options;
    const path = collectionPath(ref, options.namespace);
    const selection = listQuery(ref, options);
    const accept = acceptOf(ref, 'list');
    const fetch = async (pageSize: number, token: string | undefined): Promise<ListPage> => {
      const page = pageSize === 0 ? {} : { limit: pageSize };
      // The token contains the resourceVersion; the server rejects a request with both.
      const position =
        token === undefined ? {} : { continue: token, resourceVersion: undefined, resourceVersionMatch: undefined };
      const timeoutMs = options.timeoutMs ?? (pageSize === 0 ? WHOLE_LIST_TIMEOUT_MS : undefined);
      const query = { ...selection, ...page, ...position };
      const read = await this.call<ListPage>(ref, 'GET', path, { ...options, timeoutMs }, { query, accept });
      return reducePage(ref, read);
    };
    const { items, resourceVersion } = await readPages(fetch, limit);
    const typed = items.map((item) => complete(ref, item));
    if (!keepManagedFields) for (const item of typed) dropManagedFields(item);
    return { items: typed as unknown as ObjectOf<K>[], resourceVersion };
  }

  /** Returns the resource version that the server has now, by a list of at most one of the selected objects. */
  async currentVersion(kind: KindLike, options: ListOptions = {}): Promise<string> {
    const ref = toKindRef(kind);
    const path = collectionPath(ref, options.namespace);
    const query = { ...listQuery(ref, options), limit: 1 };
    const page = await this.call<ListPage>(ref, 'GET', path, options, { query, accept: acceptOf(ref, 'list') });
    return page.metadata?.resourceVersion ?? '';
  }

  /** Creates an object, or with `subresource` a subresource of a named object, such as a token or an eviction. */
  async create<K extends KindLike>(
    kind: K,
    object: Desired<ObjectOf<K>>,
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef(kind);
    const path = creationPath(ref, addressOf(object, options));
    return this.call(ref, 'POST', path, options, { query: this.writeQuery(options), body: complete(ref, object) });
  }

  /** Replaces an object (PUT). Throws ConflictError if its resourceVersion is out of date. */
  async update<K extends KindLike>(kind: K, object: ObjectOf<K>, options: WriteOptions = {}): Promise<ObjectOf<K>> {
    const ref = toKindRef(kind);
    const path = objectPath(ref, addressOf(object, options));
    return this.call(ref, 'PUT', path, options, {
      query: this.writeQuery(options),
      body: complete(ref, object),
    });
  }

  /** Patches an object (PATCH). */
  async patch<K extends KindLike>(
    kind: K,
    name: string,
    patch: unknown,
    options: PatchOptions = {},
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef(kind);
    const { namespace, subresource, type = 'merge' } = options;
    const path = objectPath(ref, { name, namespace, subresource });
    const contentType = PATCH_TYPES[type];
    return this.call(ref, 'PATCH', path, options, { query: this.writeQuery(options), body: patch, contentType });
  }

  /** Creates or updates an object by server-side apply, and owns the fields that `object` contains. */
  async apply<K extends KindLike>(
    kind: K,
    object: Desired<ObjectOf<K>>,
    options: ApplyOptions = {},
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef(kind);
    const path = objectPath(ref, addressOf(object, options));
    const query = { ...this.writeQuery(options), force: options.force };
    return this.call(ref, 'PATCH', path, options, {
      query,
      body: complete(ref, object),
      contentType: PATCH_TYPES.apply,
    });
  }

  /**
   * Deletes an object. Resolves to the object if finalizers or its grace period delay the deletion, else to undefined.
   *
   * @throws NotFoundError if the object does not exist; ConflictError if a precondition does not hold.
   */
  async delete<K extends KindLike>(
    kind: K,
    name: string,
    options: DeleteOptions = {},
  ): Promise<ObjectOf<K> | undefined> {
    const ref = toKindRef(kind);
    const { namespace, propagationPolicy, gracePeriodSeconds, preconditions } = options;
    const path = objectPath(ref, { name, namespace });
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, gracePeriodSeconds, preconditions };
    const response = await this.call<Partial<KubeObject>>(ref, 'DELETE', path, options, { body });
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
    return iterateWatch(
      (onEvent, onFlow, signal) => this.watcher.stream(ref, { ...options, signal }, onEvent, onFlow),
      options.signal,
    );
  }

  /**
   * Calls `onEvent` for each change as soon as it is received, without a promise per change.
   *
   * Resolves when the server ends the stream. Rejects with the ApiError of an ERROR event (after GoneError, list
   * again), with WatchError if the server sends anything that is not an event of the kind, and with any error of
   * `onEvent`. The connection is then closed.
   */
  streamWatch(kind: KindRef, options: WatchOptions, onEvent: WatchHandler): Promise<void> {
    return this.watcher.stream(kind, options, onEvent);
  }

  /** Returns whether the server serves the kind at its version: false if its CRD is not installed. */
  async serves(kind: KindLike, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<boolean> {
    return isServed(toKindRef(kind), (path) =>
      this.requester.requestObject({ method: 'GET', path, signal: options.signal }),
    );
  }

  /** Sends any request and returns the JSON of its response, or the text if it is not JSON. */
  async request<T>(request: RawRequest): Promise<T> {
    return withCallerStack(this.requester.request(request)) as Promise<T>;
  }

  /** Ends all connections. Pending calls reject with a ConnectionError. */
  close(): void {
    this.transport.close();
  }

  private async call<T>(
    kind: KindRef,
    method: string,
    path: string,
    { signal, timeoutMs, beforeSend, retries }: CallOptions & Pick<RawRequest, 'retries'>,
    rest: Pick<RawRequest, 'query' | 'body' | 'contentType' | 'accept'>,
  ): Promise<T> {
    const resource = resourceName(kind);
    const request = { method, path, resource, signal, timeoutMs, beforeSend, retries, ...rest };
    return withCallerStack(this.requester.requestObject(request)) as Promise<T>;
  }

  private writeQuery({ dryRun = false, fieldManager = this.fieldManager }: WriteOptions): Record<string, QueryValue> {
    return { fieldManager, dryRun: dryRun ? 'All' : undefined };
  }
}

/** An error that was created in a callback of a socket has a stack without the caller. */
async function withCallerStack<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    throw error instanceof OperatorError ? captureStack(error) : error;
  }
}

function listQuery(kind: KindRef, options: ListOptions): Record<string, QueryValue> {
  const { resourceVersion, resourceVersionMatch } = options;
  return { ...selectorQuery(kind, options), resourceVersion, resourceVersionMatch };
}

/** Adds apiVersion and kind, which lists of built-in kinds omit and objects to write may omit. */
function complete<T extends object>(kind: KindRef, object: T): T {
  const { apiVersion, kind: name } = object as Partial<KubeObject>;
  if (apiVersion !== undefined && name !== undefined) return object;
  const whole = { kind: '', apiVersion: '', ...object };
  whole.kind = name ?? kind.kind;
  whole.apiVersion = apiVersion ?? apiVersionOf(kind);
  return whole;
}

function addressOf(
  { metadata }: { metadata?: { name?: string; namespace?: string } },
  { namespace, subresource }: WriteOptions,
): { name: string | undefined; namespace: string | undefined; subresource: string | undefined } {
  return { name: metadata?.name, namespace: namespace ?? metadata?.namespace, subresource };
}
