import { isDeleted } from '../api/is-deleted.js';
import { apiVersionOf, resourceName, toKindRef, type KindLike, type KindRef, type ObjectOf } from '../api/kind-ref.js';
import type { Desired, KubeObject } from '../api/kube-object.js';
import { captureStack } from '../base/capture-stack.js';
import type { Clock } from '../base/clock.js';
import { silentLogger, type Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { SystemClock } from '../base/system-clock.js';
import type { AccessListener } from './access/access.js';
import type { ClientMetrics } from './client-metrics.js';
import type {
  ApplyOptions,
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
import { Transport } from './http/transport.js';
import { collectionPath, creationPath, objectPath } from './object-path.js';
import { readPages, type KubeList, type ListPage } from './pager.js';
import { selectorParameter, type QueryValue } from './query.js';
import { Requester } from './requester.js';
import { Watcher } from './watcher.js';
import type { WatchEvent } from './watch-event.js';
import { iterateWatch } from './watch-iterator.js';
import { dropManagedFields, type WatchHandler } from './watch-line.js';

export interface ClientOptions {
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  /** Who owns the fields that writes set, unless a call says otherwise. Default `kindwright`. */
  readonly fieldManager?: string | undefined;
  readonly metrics?: ClientMetrics | undefined;
  /** Told of each access before it is asked for, to learn which rights a program needs. */
  readonly onAccess?: AccessListener | undefined;
}

const DEFAULT_PAGE = 500;
/** All objects at once can be a lot. */
const WHOLE_LIST_TIMEOUT_MS = 300_000;

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/**
 * A typed client of one API server, for any kind: built in, or annotated with `@Kind`.
 *
 * Life cycle: connections are made when they are needed and kept. They do not keep the process alive; `close` ends them.
 *
 * Guarantees: reads are tried again when a connection is lost and on 429 and 5xx; writes only when the server says that
 * it has not begun (429, 503 with Retry-After). Credentials are renewed when they expire or are refused.
 *
 * Errors: a subclass of ApiError when the server says no, ConnectionError when it cannot be reached or does not answer,
 * the signal's reason when a call is aborted.
 */
export class Client {
  readonly config: ClusterConfig;
  private readonly transport: Transport;
  private readonly requester: Requester;
  private readonly watcher: Watcher;
  private readonly fieldManager: string;

  constructor(config: ClusterConfig, options: ClientOptions = {}) {
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
    this.watcher = new Watcher(this.transport, this.requester, clock, config.server.host);
    if (config.tls?.insecureSkipVerify) {
      logger.warn('the certificate of the API server is not verified', { server: config.server.host });
    }
  }

  /** One object; NotFoundError when there is none. */
  async get<K extends KindLike>(kind: K, name: string, options: GetOptions = {}): Promise<ObjectOf<K>> {
    const ref = toKindRef(kind);
    const { namespace, subresource, resourceVersion } = options;
    const path = objectPath(ref, { name, namespace, subresource });
    return this.call(ref, 'GET', path, options, { query: { resourceVersion } });
  }

  /** All objects selected, read in pages; those of all namespaces unless one is given. */
  async list<K extends KindLike>(kind: K, options: ListOptions = {}): Promise<KubeList<ObjectOf<K>>> {
    const ref = toKindRef(kind);
    const { limit = DEFAULT_PAGE, keepManagedFields = false } = options;
    const path = collectionPath(ref, options.namespace);
    const selection = listQuery(options);
    const fetch = async (pageSize: number, token: string | undefined): Promise<ListPage> => {
      const page = pageSize === 0 ? {} : { limit: pageSize };
      // The token holds the resourceVersion; the server refuses to be told it twice.
      const position =
        token === undefined ? {} : { continue: token, resourceVersion: undefined, resourceVersionMatch: undefined };
      const timeoutMs = options.timeoutMs ?? (pageSize === 0 ? WHOLE_LIST_TIMEOUT_MS : undefined);
      const query = { ...selection, ...page, ...position };
      return this.call<ListPage>(ref, 'GET', path, { ...options, timeoutMs }, { query });
    };
    const { items, resourceVersion } = await readPages(fetch, limit);
    const typed = items.map((item) => complete(ref, item));
    if (!keepManagedFields) for (const item of typed) dropManagedFields(item);
    return { items: typed as unknown as ObjectOf<K>[], resourceVersion };
  }

  /** Creates an object, or with `subresource` something of a named object, such as a token or an eviction. */
  async create<K extends KindLike>(
    kind: K,
    object: Desired<ObjectOf<K>>,
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef(kind);
    const path = creationPath(ref, addressOf(object, options));
    return this.call(ref, 'POST', path, options, { query: this.writeQuery(options), body: complete(ref, object) });
  }

  /** Replaces an object (PUT); ConflictError when its resourceVersion is no longer the server's. */
  async update<K extends KindLike>(kind: K, object: ObjectOf<K>, options: WriteOptions = {}): Promise<ObjectOf<K>> {
    const ref = toKindRef(kind);
    const path = objectPath(ref, addressOf(object, options));
    return this.call(ref, 'PUT', path, options, {
      query: this.writeQuery(options),
      body: complete(ref, object),
    });
  }

  /** Changes parts of an object. */
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

  /** Makes the object as given, creating it if need be, and owns the fields given (server-side apply). */
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
   * Deletes an object. Resolves to the object while finalizers or its grace period keep it, else to undefined.
   *
   * @throws NotFoundError when there is no such object; ConflictError when a precondition does not hold.
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
    const answer = await this.call<Partial<KubeObject>>(ref, 'DELETE', path, options, { body });
    // For some kinds the server returns a Status, for others the object that it has just removed from storage.
    const isPending = answer.metadata?.deletionTimestamp !== undefined && !isDeleted(answer as KubeObject);
    return isPending ? (answer as ObjectOf<K>) : undefined;
  }

  /**
   * The changes of a kind, for `for await`; leaving the loop ends the watch.
   *
   * It ends when the server ends the stream. An Informer goes on: use it to follow a kind for long.
   */
  watch<K extends KindLike>(kind: K, options: WatchOptions = {}): AsyncIterable<WatchEvent<ObjectOf<K> & KubeObject>> {
    const ref = toKindRef(kind);
    return iterateWatch(
      (onEvent, onFlow, signal) => this.watcher.stream(ref, { ...options, signal }, onEvent, onFlow),
      options.signal,
    );
  }

  /**
   * Calls `onEvent` for each change as its bytes arrive, without a promise for each.
   *
   * Resolves when the server ends the stream. Rejects with the ApiError of an ERROR event (GoneError: list anew), with
   * WatchLineError when a line is no event, and with what `onEvent` throws; the connection is then closed.
   */
  streamWatch(kind: KindRef, options: WatchOptions, onEvent: WatchHandler): Promise<void> {
    return this.watcher.stream(kind, options, onEvent);
  }

  /** Whether the server serves the kind at its version: false as long as its CRD is not installed. */
  async serves(kind: KindLike, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<boolean> {
    return isServed(toKindRef(kind), (path) =>
      this.requester.requestObject({ method: 'GET', path, signal: options.signal }),
    );
  }

  /** Any request: the JSON of its answer, or the text if that is not JSON. */
  async request<T>(request: RawRequest): Promise<T> {
    return withCallerStack(this.requester.request(request)) as Promise<T>;
  }

  /** Ends all connections; calls under way reject with a ConnectionError. */
  close(): void {
    this.transport.close();
  }

  private async call<T>(
    kind: KindRef,
    method: string,
    path: string,
    { signal, timeoutMs, retries }: Pick<RawRequest, 'signal' | 'timeoutMs' | 'retries'>,
    rest: Pick<RawRequest, 'query' | 'body' | 'contentType'>,
  ): Promise<T> {
    const resource = resourceName(kind);
    const request = { method, path, resource, signal, timeoutMs, retries, ...rest };
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

function listQuery(options: ListOptions): Record<string, QueryValue> {
  const { fieldSelector, resourceVersion, resourceVersionMatch } = options;
  const labelSelector = selectorParameter(options.labelSelector);
  return { labelSelector, fieldSelector, resourceVersion, resourceVersionMatch };
}

/** Lists leave apiVersion and kind out of the objects of built-in kinds, and writers may. */
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
