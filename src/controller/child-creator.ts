import type { KindRef } from '../api/kind-ref.js';
import type { Desired, KubeObject } from '../api/kube-object.js';
import { AlreadyExistsError } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import type { CachedKinds } from './cached-kinds.js';
import { assertNoOtherController, childObject, isOwnedBy, type Ownership } from './child-ownership.js';
import type { ObjectWriter } from './object-writer.js';
import type { OwnerCheck } from './owner-check.js';
import { readLive } from './read-live.js';
import type { ReconcileRequest } from './reconcile-request.js';

/**
 * Creates objects and never changes existing ones.
 *
 * Flow: an object in the cache that the reconciled object already owns is returned without a request; otherwise the
 * object is created; if the name is taken, the existing object is returned when the reconciled object owns it.
 * Guarantees: of several processes that create the same name at once, one succeeds and all return its object.
 * Errors: AlreadyOwnedError when another controller owns the existing object, AlreadyExistsError when none of ours does.
 */
export class ChildCreator {
  constructor(
    private readonly ownerKind: KindRef,
    private readonly client: Client,
    private readonly caches: CachedKinds,
    private readonly writer: ObjectWriter,
    private readonly ownerCheck: OwnerCheck,
  ) {}

  async create(
    request: ReconcileRequest,
    kind: KindRef,
    given: Desired<KubeObject>,
    ownership: Ownership,
  ): Promise<KubeObject> {
    const child = childObject(kind, given, this.ownerKind, ownership);
    const { name, namespace } = child.metadata;
    const cached = this.cached(request, kind, child.metadata);
    if (cached && isOwnedBy(cached, ownership.owner)) {
      request.throwIfAborted();
      request.run?.skipped('create', kind, cached);
      return cached;
    }
    try {
      const send = () => this.writer.create(request, kind, child);
      return await this.ownerCheck.write(request, ownership, undefined, send);
    } catch (error) {
      if (!(error instanceof AlreadyExistsError) || name === undefined) throw error;
      const existing = await this.existing(request, kind, name, namespace);
      if (!existing) throw error;
      if (isOwnedBy(existing, ownership.owner)) return existing;
      if (ownership.isOwned) assertNoOtherController(kind, existing, ownership.owner);
      throw error;
    }
  }

  private cached(
    { key }: ReconcileRequest,
    kind: KindRef,
    { name, namespace }: Desired<KubeObject>['metadata'],
  ): KubeObject | undefined {
    if (name === undefined) return undefined;
    return this.caches.listerFor(key, kind, namespace, name)?.get(name, namespace);
  }

  /** The existing object, which the cache holds from then on. */
  private async existing(
    request: ReconcileRequest,
    kind: KindRef,
    name: string,
    namespace: string | undefined,
  ): Promise<KubeObject | undefined> {
    const live = await readLive(this.client, kind, name, { namespace, signal: request.signal });
    if (live) this.caches.observe(kind, live);
    return live;
  }
}
