import { toKindRef, type KindLike, type KindRef, type ObjectOf } from '../api/kind-ref.js';
import type { Desired, KubeObject } from '../api/kube-object.js';
import type { LabelSelector } from '../api/label-selector.js';
import { objectFilter, type ListerOptions } from '../api/object-filter.js';
import { keyOf } from '../api/object-key.js';
import { deepClone } from '../base/deep-clone.js';
import { deepEqual } from '../base/deep-equal.js';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import { ConflictError, NotFoundError } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import {
  Context,
  type ApplyOptions,
  type CreateOptions,
  type DeleteOptions,
  type EventOptions,
  type GetOptions,
  type ListOptions,
  type PatchOptions,
} from '../resource/context.js';
import { listerOptions } from '../resource/lister-options.js';
import type { Applier } from './applier.js';
import type { CachedKinds } from './cached-kinds.js';
import type { ChildCreator } from './child-creator.js';
import { isOwnedBy } from './child-ownership.js';
import type { ObjectWriter } from './object-writer.js';
import { readLive } from './read-live.js';
import type { ReconcileRequest } from './reconcile-request.js';
import type { UnwatchedKinds } from './unwatched-kinds.js';

const UPDATE_ATTEMPTS = 5;

/** Takes an event about an object; never waits and never fails. */
export type RecordEvent = (about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string) => void;

/** The services that all contexts of a controller share. */
export interface ContextServices {
  readonly client: Client;
  readonly caches: CachedKinds;
  readonly writer: ObjectWriter;
  readonly applier: Applier;
  readonly creator: ChildCreator;
  readonly unwatched: UnwatchedKinds;
  readonly record: RecordEvent;
}

/** The Context of one reconcile. */
export class LiveContext extends Context {
  constructor(
    private readonly services: ContextServices,
    private readonly request: ReconcileRequest,
    private readonly owner: KubeObject,
  ) {
    super();
  }

  override get log(): Logger {
    return this.request.log;
  }

  override get signal(): AbortSignal {
    return this.request.signal;
  }

  override async get<K extends KindLike>(
    kind: K,
    name: string,
    options?: GetOptions,
  ): Promise<ObjectOf<K> | undefined> {
    this.request.throwIfAborted();
    const ref = toKindRef<KubeObject>(kind);
    const namespace = this.namespaceFor(ref, options?.namespace);
    if (namespace === undefined && ref.scope === 'Namespaced') {
      throw new OperatorError(`${ref.kind} ${name} is namespaced, and the reconciled object is not`, {
        code: 'E_NO_NAMESPACE',
        hint: `ctx.get(${ref.kind}, '${name}', { namespace: '…' })`,
      });
    }
    if (this.services.caches.covers(ref, namespace)) {
      const cached = this.services.caches.get(kind, name, namespace);
      this.request.run?.readCache(ref, name, namespace, cached);
      return deepClone(cached);
    }
    this.services.unwatched.read(ref, 'get');
    return (await this.readLive(ref, name, namespace)) as ObjectOf<K> | undefined;
  }

  override async list<K extends KindLike, const P extends string = never>(
    kind: K,
    options: ListOptions<ObjectOf<K>, P> = {},
  ): Promise<ObjectOf<K>[]> {
    this.request.throwIfAborted();
    const ref = toKindRef<KubeObject>(kind);
    const namespace = this.namespaceFor(ref, options.namespace);
    const query = listerOptions(options, namespace);
    if (this.services.caches.covers(ref, namespace)) {
      const found = this.services.caches.list(kind, query);
      this.request.run?.listCache(ref, namespace, found);
      return found.map((object) => deepClone(object));
    }
    this.services.unwatched.read(ref, 'list');
    return (await this.listLive(ref, query)) as ObjectOf<K>[];
  }

  override async apply<K extends KindLike>(
    kind: K,
    desired: Desired<ObjectOf<K>>,
    { owned = true, force = true, adopt = false }: ApplyOptions = {},
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef<KubeObject>(kind);
    const call = { owner: this.owner, isOwned: owned, force, adopt };
    if (owned) this.services.unwatched.ownedWrite(ref);
    const applied = await this.services.applier.apply(this.request, ref, desired, call);
    return deepClone(applied) as ObjectOf<K>;
  }

  override async create<K extends KindLike>(
    kind: K,
    desired: Desired<ObjectOf<K>>,
    { owned = true }: CreateOptions = {},
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef<KubeObject>(kind);
    const ownership = { owner: this.owner, isOwned: owned };
    if (owned) this.services.unwatched.ownedWrite(ref);
    return deepClone(await this.services.creator.create(this.request, ref, desired, ownership)) as ObjectOf<K>;
  }

  override async update<K extends KindLike>(
    kind: K,
    object: ObjectOf<K>,
    change: (draft: ObjectOf<K>) => void,
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef<KubeObject>(kind);
    const { name, namespace, uid } = object.metadata;
    this.reportOwned(ref, object);
    let isWhole = !this.services.caches.holdsFieldsOnly(ref);
    for (let latest: KubeObject = object, attempt = 1; ; attempt++) {
      this.request.throwIfAborted();
      const draft = deepClone(latest) as ObjectOf<K>;
      change(draft);
      if (deepEqual(draft, latest)) {
        this.request.run?.skipped('update', ref, latest);
        return draft;
      }
      if (!isWhole) {
        // A PUT of a cached part would remove all other fields, so the object of the server is changed instead.
        latest = await this.readWhole(ref, latest);
        isWhole = true;
        continue;
      }
      try {
        return deepClone(await this.services.writer.update(this.request, ref, draft)) as ObjectOf<K>;
      } catch (error) {
        if (!(error instanceof ConflictError) || attempt === UPDATE_ATTEMPTS) throw error;
        const live = await this.readLive(ref, name, namespace);
        if (!live || live.metadata.uid !== uid) throw error;
        latest = live;
      }
    }
  }

  override async patch<K extends KindLike>(
    kind: K,
    name: string,
    patch: unknown,
    { namespace, type, subresource }: PatchOptions = {},
  ): Promise<ObjectOf<K>> {
    const ref = toKindRef<KubeObject>(kind);
    const call = { namespace: this.namespaceFor(ref, namespace), type, subresource };
    const patched = await this.services.writer.patch(this.request, ref, name, patch, call);
    this.reportOwned(ref, patched);
    return deepClone(patched) as ObjectOf<K>;
  }

  override async delete<K extends KindLike>(kind: K, object: ObjectOf<K>, options: DeleteOptions = {}): Promise<void> {
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
      if (!(error instanceof NotFoundError) && !(error instanceof ConflictError)) throw error;
      // A conflict may also come from a webhook. Only another object of that name shows that this one is deleted.
      const live = error instanceof ConflictError ? await this.readLive(ref, name, namespace) : undefined;
      if (live?.metadata.uid === uid) throw error;
      this.services.caches.observeDeletion(ref, object);
    }
  }

  override event(type: 'Normal' | 'Warning', reason: string, message: string, { about }: EventOptions = {}): void {
    // An object literal may lack apiVersion and kind; then no Event can refer to it.
    const subject = about?.kind === undefined ? this.owner : about;
    if (this.request.isAborted) return;
    this.request.run?.event(type, reason, message);
    this.services.record(subject, type, reason, message);
  }

  private reportOwned(kind: KindRef, object: KubeObject): void {
    if (isOwnedBy(object, this.owner)) this.services.unwatched.ownedWrite(kind);
  }

  private namespaceFor(kind: KindRef, given: string | undefined): string | undefined {
    return kind.scope === 'Cluster' ? undefined : (given ?? this.owner.metadata.namespace);
  }

  private readLive(kind: KindRef, name: string, namespace: string | undefined): Promise<KubeObject | undefined> {
    const { signal } = this;
    this.request.sentRequests += 1;
    const read = () => readLive(this.services.client, kind, name, { namespace, signal });
    return this.request.run?.readServer(kind, name, namespace, read) ?? read();
  }

  /** Returns the whole object of a part; the part itself if the object is deleted, so that the server rejects its PUT. */
  private async readWhole(kind: KindRef, part: KubeObject): Promise<KubeObject> {
    const { name, namespace, uid } = part.metadata;
    const whole = await this.readLive(kind, name, namespace);
    return whole?.metadata.uid === uid ? (whole ?? part) : part;
  }

  private listLive(kind: KindRef, query: ListerOptions): Promise<readonly KubeObject[]> {
    const { signal } = this;
    const { namespace, labels, selector, ...rest } = query;
    const labelSelector = combine(labels, selector);
    // The API server selects by few fields of each kind and by no owner.
    const filter = objectFilter(kind, rest);
    this.request.sentRequests += 1;
    const read = async () => {
      const { items } = await this.services.client.list(kind, { namespace, labelSelector, signal });
      return items.filter(filter);
    };
    return this.request.run?.listServer(kind, namespace, read) ?? read();
  }
}

function combine(labels: ListOptions['labels'], selector: LabelSelector | undefined): LabelSelector | undefined {
  if (!labels || !selector) return labels ? { matchLabels: labels } : selector;
  const required = Object.entries(labels).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...required] };
}
