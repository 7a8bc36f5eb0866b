import { heldPart } from '../../api/kinds/kind-part.js';
import { toKindRef, type InputOf, type KindLike, type KindRef, type ObjectOf } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { ListerOptions } from '../../api/selection/object-filter.js';
import { keyOf } from '../../api/objects/object-key.js';
import type { Subresource, SubresourceObject } from '../../api/kinds/subresource.js';
import { deepClone } from '../../base/deep-clone.js';
import type { Logger } from '../../base/logger.js';
import { OperatorError } from '../../base/operator-error.js';
import { ConflictError, ForbiddenError, isObjectMissing } from '../../client/api-error.js';
import type { ApiClient } from '../../client/api-client.js';
import type { RequestInterceptor } from '../../client/client-options.js';
import type { PodStreams } from '../../client/pods/pod-stream-options.js';
import {
  Context,
  type ActingAs,
  type TenantClient,
  type ApplyOptions,
  type CreateOptions,
  type DeleteOptions,
  type EventOptions,
  type GetOptions,
  type ListOptions,
  type PatchOptions,
  type WatchTarget,
} from '../../resource/context.js';
import { listerOptions } from '../../resource/lister-options.js';
import { allReadOnly, readOnly } from '../../cache/read-only.js';
import { isOwnedBy, type Ownership } from '../write/child-ownership.js';
import { refusalAs } from './acting-accounts.js';
import type { ContextServices } from './context-services.js';
import { NoNamespaceError } from '../run/no-namespace-error.js';
import { listLive, readLive } from '../read/read-live.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';
import { daemonWatch, type OnDemandWatches } from '../watches/on-demand-watches.js';

/** The Context of one reconcile. */
export class LiveContext extends Context {
  private ownClient: ApiClient | undefined;

  constructor(
    private readonly services: ContextServices,
    private readonly request: ReconcileRequest,
    private readonly owner: ReadonlyDeep<KubeObject>,
    /** Undefined outside of reconciles. */
    private readonly watches?: OnDemandWatches,
    /** True in `deleted()`: the owner no longer exists. */
    private readonly isOwnerDeleted = false,
  ) {
    super();
  }

  override get log(): Logger {
    return this.request.log;
  }

  override get signal(): AbortSignal {
    return this.request.signal;
  }

  override get client(): ApiClient {
    const { client, writer } = this.services;
    this.ownClient ??= client.for(this.request).intercept((request, send) => writer.pass(this.request, request, send));
    return this.ownClient;
  }

  override get podStreams(): PodStreams {
    const { client, writer } = this.services;
    return client.base.podStreams(writer.streaming(this.request, this.owner.metadata.namespace));
  }

  override get clusterName(): string | undefined {
    return this.services.member?.name;
  }

  override cluster(name?: string): ApiClient {
    const { clusters, member, writer } = this.services;
    if (name === member?.name) return this.client;
    const { signal } = this.request;
    const client = name === undefined ? member?.home : undefined;
    return (client ?? clusters.client(name ?? '')).intercept(
      (request, send) => writer.passTo(name, this.request, request, send),
      {
        signal,
        fieldManager: writer.fieldManager,
      },
    );
  }

  override as(account: ActingAs): TenantClient {
    const { accounts, client, writer } = this.services;
    const impersonate = accounts.user(this.owner, account);
    const explained = async <T>(call: () => Promise<T>): Promise<T> => {
      try {
        return await call();
      } catch (error) {
        throw error instanceof ForbiddenError ? refusalAs(impersonate, error) : error;
      }
    };
    const call: RequestInterceptor = (request, send) => explained(() => writer.pass(this.request, request, send));
    const streams = (): PodStreams =>
      client.base.podStreams({ ...writer.streaming(this.request, this.owner.metadata.namespace), impersonate });
    return Object.assign(client.for(this.request).intercept(call, { impersonate }), {
      exec: (...args) => explained(() => streams().exec(...args)),
      attach: (...args) => explained(() => streams().attach(...args)),
      logs: (...args) => explained(() => streams().logs(...args)),
      portForward: (...args) => explained(() => streams().portForward(...args)),
    } satisfies PodStreams);
  }

  override async get<K extends KindLike>(
    kind: K,
    name: string,
    options?: GetOptions,
  ): Promise<ReadonlyDeep<ObjectOf<K>> | undefined> {
    this.request.throwIfAborted();
    const ref = toKindRef<KubeObject>(kind);
    const namespace = this.namespaceFor(ref, options?.namespace);
    const hint = `ctx.get(${ref.kind}, '${name}', { namespace: '…' })`;
    if (namespace === undefined && ref.scope === 'Namespaced') throw new NoNamespaceError(ref, name, hint);
    const lister = this.services.caches.listerFor(this.request.key, ref, namespace, name);
    if (lister) {
      const cached = lister.get(name, namespace);
      this.request.run?.readCache(ref, name, namespace, cached);
      return cached && (readOnly(cached) as ReadonlyDeep<ObjectOf<K>>);
    }
    this.services.unwatched.read(ref, 'get');
    const live = await this.readLive(ref, name, namespace);
    return live && (readOnly(ofPart(ref, live)) as ReadonlyDeep<ObjectOf<K>> | undefined);
  }

  override async list<K extends KindLike, const P extends string = never, const Q extends string = never>(
    kind: K,
    options: ListOptions<ObjectOf<K>, P, Q> = {},
  ): Promise<ReadonlyDeep<ObjectOf<K>>[]> {
    this.request.throwIfAborted();
    const ref = toKindRef<KubeObject>(kind);
    const namespace = this.namespaceFor(ref, options.namespace);
    const query = listerOptions(options, namespace);
    const lister = this.services.caches.listerFor(this.request.key, ref, namespace);
    if (lister) {
      const preparing = lister.prepare(query);
      if (preparing) await preparing;
      const found = lister.list(query);
      this.request.run?.listCache(ref, namespace, found);
      return (await allReadOnly(found)) as ReadonlyDeep<ObjectOf<K>>[];
    }
    this.services.unwatched.read(ref, 'list');
    return (await allReadOnly(await this.listLive(ref, query))) as ReadonlyDeep<ObjectOf<K>>[];
  }

  override async watch(kind: KindLike, { name, namespace }: WatchTarget = {}): Promise<boolean> {
    const ref = toKindRef(kind);
    const target = { name, namespace: this.namespaceFor(ref, namespace) };
    if (!this.watches) throw daemonWatch(ref);
    return this.watches.declare(this.request, ref, target);
  }

  override async apply<K extends KindLike>(
    kind: K,
    desired: Desired<InputOf<K>>,
    { owned = true, force = true, adopt = false }: ApplyOptions = {},
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef<KubeObject>(kind);
    const call = { ...this.ownership(owned), force, adopt };
    if (owned) this.ownedWrite(ref);
    const applied = await this.services.applier.apply(this.request, ref, desired, call);
    return deepClone(applied) as ObjectOf<K>;
  }

  override async create<K extends KindLike>(
    kind: K,
    desired: Desired<InputOf<K>>,
    { owned = true }: CreateOptions = {},
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef<KubeObject>(kind);
    if (owned) this.ownedWrite(ref);
    const created = await this.services.creator.create(this.request, ref, desired, this.ownership(owned));
    return deepClone(created) as ObjectOf<K>;
  }

  override async update<K extends KindLike>(
    kind: K,
    object: ReadonlyDeep<InputOf<K>>,
    change: (draft: InputOf<K>) => void,
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef<KubeObject>(kind);
    const { name, namespace } = object.metadata;
    this.reportOwned(ref, object);
    const updated = await this.services.updater.update(this.request, ref, object, {
      change: (draft) => {
        change(draft as InputOf<K>);
      },
      read: () => this.readLive(ref, name, namespace),
    });
    return updated as ObjectOf<K>;
  }

  override async patch<K extends KindLike, const S extends Subresource = never>(
    kind: K,
    name: string,
    patch: unknown,
    { namespace, type, subresource }: PatchOptions<S> = {},
  ): Promise<SubresourceObject<K, S>> {
    const ref = toKindRef<KubeObject>(kind);
    const call = { namespace: this.namespaceFor(ref, namespace), type, subresource };
    const patched = await this.services.writer.patch(this.request, ref, name, patch, call);
    this.reportOwned(ref, patched);
    return deepClone(patched) as unknown as SubresourceObject<K, S>;
  }

  override async delete<K extends KindLike>(
    kind: K,
    object: ReadonlyDeep<InputOf<K>>,
    options: DeleteOptions = {},
  ): Promise<void> {
    const ref = toKindRef<KubeObject>(kind);
    const { name, namespace, uid } = object.metadata;
    if (uid === undefined) {
      throw new OperatorError(
        `${ref.kind} ${keyOf(name, namespace)} has no uid, so it is not clear which one to delete`,
        {
          code: 'E_NO_UID',
          hint: 'pass the object as ctx.get or ctx.list returned it',
        },
      );
    }
    this.reportOwned(ref, object);
    this.services.applier.forget(ref, name, namespace);
    try {
      const { propagationPolicy } = options;
      await this.services.writer.delete(this.request, ref, object, { propagationPolicy, preconditions: { uid } });
    } catch (error) {
      if (!isObjectMissing(error) && !(error instanceof ConflictError)) throw error;
      // A conflict may also come from a webhook. Only another object of that name shows that this one is deleted.
      const live = error instanceof ConflictError ? await this.readLive(ref, name, namespace) : undefined;
      if (live?.metadata.uid === uid) throw error;
      this.services.caches.observeDeletion(ref, object);
    }
  }

  override event(type: 'Normal' | 'Warning', reason: string, message: string, options: EventOptions = {}): void {
    const { about } = options;
    // An object literal may lack apiVersion and kind; then no Event can refer to it.
    const subject = about?.kind === undefined ? this.owner : about;
    if (this.request.isAborted) return;
    this.request.run?.event(type, reason, message);
    this.services.record(subject, type, reason, message, options);
  }

  private ownership(isOwned: boolean): Ownership {
    return { owner: this.owner, isOwned, isOwnerDeleted: this.isOwnerDeleted };
  }

  private reportOwned(kind: KindRef, object: ReadonlyDeep<KubeObject>): void {
    if (isOwnedBy(object, this.owner)) this.ownedWrite(kind);
  }

  private ownedWrite(kind: KindRef): void {
    const { caches, unwatched } = this.services;
    if (!caches.isWatchedFor(this.request.key, kind)) unwatched.ownedWrite(kind);
  }

  /** Returns undefined for all namespaces, which the empty string stands for, as in the requests of client-go. */
  private namespaceFor(kind: KindRef, given: string | undefined): string | undefined {
    return kind.scope === 'Cluster' ? undefined : (given ?? this.owner.metadata.namespace) || undefined;
  }

  /** The cache holds the object from then on: an earlier write without a response may have changed it. */
  private async readLive(kind: KindRef, name: string, namespace: string | undefined): Promise<KubeObject | undefined> {
    const read = () => readLive(this.services.client.for(this.request), kind, name, { namespace });
    const live = await (this.request.run?.readServer(kind, name, namespace, read) ?? read());
    if (live) this.services.caches.observe(kind, live);
    return live;
  }

  private listLive(kind: KindRef, query: ListerOptions): Promise<readonly KubeObject[]> {
    const read = () => listLive(this.services.client.for(this.request), kind, query);
    return this.request.run?.listServer(kind, query.namespace, read) ?? read();
  }
}

/** Returns what a cache of the kind or part would hold of an object; undefined if the selectors of the part exclude it. */
function ofPart(kind: KindRef, object: KubeObject): KubeObject | undefined {
  return kind.part?.matches(object) === false ? undefined : heldPart(kind, object);
}
