import type { Duplex, Readable } from 'node:stream';
import type { IndexMatch, IndexPath } from '../api/selection/cache-index.js';
import type { FieldMatch } from '../api/selection/field-match.js';
import type { InputOf, KindLike, ObjectOf } from '../api/kinds/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import type { LabelSelector } from '../api/selection/label-selector.js';
import type { Subresource, SubresourceObject } from '../api/kinds/subresource.js';
import type { Logger } from '../base/logger.js';
import type { ApiClient } from '../client/api-client.js';
import type {
  AttachOptions,
  ContainerOptions,
  ExecResult,
  PodLogOptions,
  PodStreams,
} from '../client/pods/pod-stream-options.js';

/** Options of `ctx.get`. */
export interface GetOptions {
  /** Default: the namespace of the reconciled object. */
  readonly namespace?: string;
}

/** The requests and the connections to pods with the rights of a tenant. */
export type TenantClient = ApiClient & Pick<Context, 'exec' | 'attach' | 'logs' | 'portForward'>;

/** A ServiceAccount as which `ctx.as` acts. */
export interface ActingAs {
  /** Its name, usually from the spec of the object: `this.spec.serviceAccountName`. */
  readonly serviceAccount: string;
  /** Only for objects of cluster scope: other objects act as ServiceAccounts of their own namespace. */
  readonly namespace?: string;
}

/** The objects that `ctx.watch` declares: by default all of the namespace. */
export interface WatchTarget {
  /** Only the object of this name. */
  readonly name?: string;
  /**
   * Default: the namespace of the reconciled object; all namespaces of the operator if that is cluster-scoped and no name
   * is given.
   */
  readonly namespace?: string;
}

/** Options of `ctx.list`; an object must meet all of them. */
export interface ListOptions<
  T extends KubeObject = KubeObject,
  P extends string = never,
  Q extends string = never,
> extends GetOptions {
  /** Default: the namespace of the reconciled object. The empty string lists all namespaces of the operator. */
  readonly namespace?: string;
  /** Labels that the objects must have, with these values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** `app=web`, `tier in (a,b)`, `!legacy`, or an object. */
  readonly labelSelector?: string | LabelSelector;
  /** Values that fields of the objects must have, by path: `{ 'spec.nodeName': 'node-1' }`. */
  readonly where?: FieldMatch<T, P>;
  /** A value that the objects must have in an index of `indexBy`; see `@Index`. */
  readonly index?: IndexMatch<Q & IndexPath<T, Q>>;
  /** Only objects with an owner reference to this object. */
  readonly ownedBy?: ReadonlyDeep<Pick<KubeObject, 'metadata'>>;
}

/** Options of `ctx.create`. */
export interface CreateOptions {
  /**
   * Make the reconciled object the controller owner (default true).
   *
   * With false, several objects may apply to one: each applies as a field manager of its own and removes only its own fields.
   */
  readonly owned?: boolean;
}

/** Options of `ctx.apply`. */
export interface ApplyOptions extends CreateOptions {
  /** Take fields over from other field managers (default true, as Kubernetes recommends for controllers). */
  readonly force?: boolean;
  /** Take over an object that exists and that this controller did not create (default false). */
  readonly adopt?: boolean;
}

/** Options of `ctx.patch`. */
export interface PatchOptions<S extends Subresource = Subresource> extends GetOptions {
  /** Default `merge`. */
  readonly type?: 'merge' | 'json' | 'strategic';
  readonly subresource?: S;
}

/** Options of `ctx.delete`. */
export interface DeleteOptions extends GetOptions {
  /** Default `Background`, as kubectl: the objects that it owns are deleted too. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/** Options of `ctx.event`. */
export interface EventOptions {
  /** The object of the event (default: the reconciled object). */
  readonly about?: ReadonlyDeep<KubeObject>;
  /** Another object that the message mentions, for example one that was created. */
  readonly related?: ReadonlyDeep<KubeObject>;
  /** The action of the controller, such as `Scale`, at most 128 bytes (default: `Reconcile`). */
  readonly action?: string;
}

/**
 * Reads, writes and logging of one reconcile. A class, so that decorated methods can use it as a parameter type.
 *
 * Reads of a kind named in `@Kind`, `@Owns` or `@Watches`, and of what `watch` has declared, come from the cache, which
 * already holds this operator's own writes and deletions; other reads are requests to the server. The objects that `get` and `list` return are
 * shared and frozen: change them with `update`, or change a copy. Those that writes return are private copies.
 * Namespaces default to that of the reconciled object. All methods reject with the signal's reason once the reconcile is
 * aborted, and with ApiError when the server rejects the request.
 */
export abstract class Context {
  /** Adds controller, namespace, name and reconcileID to each line. */
  abstract readonly log: Logger;
  /** Aborted at shutdown, when the lease is lost and when the reconcile takes too long. */
  abstract readonly signal: AbortSignal;
  /**
   * All requests to the API server, for what the other methods do not offer: subresources (`scale`, `eviction`, `token`),
   * watches, objects of any owner. Namespaces have no default, and reads do not use the cache.
   *
   * Requests end with the reconcile's signal. Writes have the field manager of the controller, are rejected with
   * E_WRITE_FENCED once another replica may lead, and are visible to later reads of the cache.
   */
  abstract readonly client: ApiClient;

  /** The cluster of the object, for a class with `@Controller({ clusters })`; undefined for the operator's own cluster. */
  abstract readonly clusterName: string | undefined;

  /**
   * Returns the requests to another cluster, added to `Clusters`: as those of `client`, without effect on the cache.
   * Without a name, those to the operator's own cluster; for the cluster of the object, `client`.
   *
   * @throws OperatorError (E_CLUSTER) if the name is unknown.
   */
  abstract cluster(name?: string): ApiClient;

  /**
   * Returns the requests of `client`, made with the rights of a ServiceAccount: the API server rejects what the ServiceAccount
   * may not do, also in watches. For what a tenant asks for, so that an object cannot be used to get the operator's rights.
   *
   * `exec`, `attach`, `logs` and `portForward` are those of the context, with the same rights.
   *
   * Needs `@Controller({ impersonate })`, from which the permission is derived. Reads do not use the cache.
   * @throws OperatorError (E_IMPERSONATION) if the class does not declare it; TerminalError for an invalid name and for a
   * namespace that is not that of the object. Requests reject with ForbiddenError for missing rights.
   */
  abstract as(account: ActingAs): TenantClient;

  /** Returns the object, or undefined when it does not exist. */
  abstract get<K extends KindLike>(
    kind: K,
    name: string,
    options?: GetOptions,
  ): Promise<ReadonlyDeep<ObjectOf<K>> | undefined>;

  /**
   * Returns the objects that match all options, sorted by namespace and name.
   *
   * The cache looks up each option in an index, which is built on first use. A read from the server evaluates `where`
   * and `ownedBy` on the response.
   * @throws OperatorError (E_PART) for a field that the part of the kind does not have, (E_INDEX) if the function of an index
   * fails.
   */
  abstract list<K extends KindLike, const P extends string = never, const Q extends string = never>(
    kind: K,
    options?: ListOptions<ObjectOf<K>, P, Q>,
  ): Promise<ReadonlyDeep<ObjectOf<K>>[]>;

  /**
   * Declares that the reconciled object needs other objects: their changes lead to a reconcile of it.
   *
   * For kinds that are known only at run time, or that few objects need; `@Watches` is for those that all need. Call it in
   * each reconcile, before the reads. What a successful reconcile does not declare again is dropped, as is everything when
   * the object is deleted; a failed reconcile drops nothing that the last successful one declared. With the last object
   * that needs it, the watch ends and its cache is freed.
   *
   * All objects of a class share one watch of the kind in the namespaces of the operator, because a watch of each object
   * or namespace would cost the API server more than the objects that it leaves out. Names and namespaces select the
   * events. To cache less, pass a part: `partOf(Secret, { metadataOnly: true })`, with a `labelSelector`, or with
   * `namespaces`. Each part has a watch of its own, and only reads of that part use its cache.
   *
   * Resolves with true when the cache has synced: `get` and `list` of the declared objects then read it. Resolves with
   * false while the API server does not serve the kind, such as before its CRD is installed and after it is deleted; the
   * object is reconciled when that changes. Reads are requests to the server until then.
   * @throws OperatorError (E_NOT_WATCHED) if the kind cannot be listed, with the error of the server as the cause, or is not
   * watched in the namespace; the watch is retried, and the object is reconciled when it succeeds. For missing permissions
   * the hint names the `@Rbac` to add. Also thrown in `@Daemon` methods, which do not run again after a change.
   */
  abstract watch(kind: KindLike, target?: WatchTarget): Promise<boolean>;

  /**
   * Creates or updates an object by server-side apply: the given fields get the given values.
   *
   * Fields that earlier calls gave and this one omits are removed; fields of other managers stay. Nothing is sent when
   * the cached object shows that the same was applied and that nothing but its status has changed since.
   * @throws AlreadyOwnedError when another controller owns the object; NotOwnedError when the object exists and this
   * controller did not create it, unless `adopt` is set. Neither is checked with `owned: false`.
   */
  abstract apply<K extends KindLike>(
    kind: K,
    desired: Desired<InputOf<K>>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<K>>;

  /**
   * Creates an object and never changes an existing one: for generated passwords and keys, and for Jobs.
   *
   * If an object of that name exists and the reconciled object owns it, the existing object is returned, whatever its
   * content; of several processes that create it at the same time, all return the same object. With
   * `metadata.generateName` instead of a name each call creates another object.
   * @throws AlreadyOwnedError when another controller owns the existing object; AlreadyExistsError when none owns it.
   */
  abstract create<K extends KindLike>(
    kind: K,
    desired: Desired<InputOf<K>>,
    options?: CreateOptions,
  ): Promise<ObjectOf<K>>;

  /**
   * Changes a copy of the object and, if it differs, replaces the object with it, based on its resourceVersion. In the copy,
   * dates are strings; a Date can be assigned.
   *
   * After a conflict the object is read again and `change` is called again, up to 5 times.
   */
  abstract update<K extends KindLike>(
    kind: K,
    object: ReadonlyDeep<InputOf<K>>,
    change: (draft: InputOf<K>) => void,
  ): Promise<ObjectOf<K>>;

  abstract patch<K extends KindLike, const S extends Subresource = never>(
    kind: K,
    name: string,
    patch: unknown,
    options?: PatchOptions<S>,
  ): Promise<SubresourceObject<K, S>>;

  /**
   * Deletes this very object, by uid. An object that is already deleted or replaced is not an error.
   *
   * Later reads of the cache show it with its deletionTimestamp while finalizers or a grace period keep it, and no
   * longer once it is deleted.
   */
  abstract delete<K extends KindLike>(
    kind: K,
    object: ReadonlyDeep<InputOf<K>>,
    options?: DeleteOptions,
  ): Promise<void>;

  /**
   * Runs a command in a container and resolves when it has ended, with its output. Output that is passed to a stream is not
   * kept; the streams slow the command down to the speed at which they accept data.
   *
   * Needs the permissions `get` and `create` of `pods/exec`: `@Rbac(Pod, 'get', 'create', { subresource: 'exec' })`.
   * @throws CommandError for another exit code than 0, ConnectionError when the connection ended before the command, and
   * RangeError for output of more than 16 MiB without a stream.
   * @example
   * await ctx.exec('db-0', ['pg_dump', 'shop'], { stdout: createWriteStream('shop.sql') });
   */
  exec(pod: string, command: readonly string[], options?: AttachOptions): Promise<ExecResult> {
    return this.podStreams.exec(pod, command, options);
  }

  /** Connects streams to the main process of a container, until it ends. Needs `get` and `create` of `pods/attach`. */
  attach(pod: string, options?: AttachOptions): Promise<void> {
    return this.podStreams.attach(pod, options);
  }

  /**
   * Returns the log of a container as a stream of bytes, once its first byte may be read. Read it to its end or destroy it:
   * with `follow`, it ends with the container or with the signal of the reconcile. Needs `get` of `pods/log`.
   */
  logs(pod: string, options?: PodLogOptions): Promise<Readable> {
    return this.podStreams.logs(pod, options);
  }

  /**
   * Connects to a port of a pod. The connection ends with the stream, or with the signal of the reconcile. Needs `get` and
   * `create` of `pods/portforward`.
   */
  portForward(pod: string, port: number, options?: Pick<ContainerOptions, 'namespace'>): Promise<Duplex> {
    return this.podStreams.portForward(pod, port, options);
  }

  /** @internal */
  abstract readonly podStreams: PodStreams;

  /**
   * Records an Event of events.k8s.io/v1 about the reconciled object. Neither waits nor throws. An event that is repeated
   * within 6 minutes becomes a series with a count. Reasons are cut at 128 bytes and messages at 1024.
   */
  abstract event(type: 'Normal' | 'Warning', reason: string, message: string, options?: EventOptions): void;
}
