import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { OperatorError } from '../../base/operator-error.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import type { Ownership } from './child-ownership.js';
import { LruMap } from '../run/lru-map.js';
import { readLive } from '../read/read-live.js';
import type { ReconcileClient } from '../run/reconcile-client.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';

/** The cache shows an object that has been deleted; its reconcile must not create children. */
export class StaleOwnerError extends OperatorError {
  constructor(ownerKind: KindRef, { metadata: { name } }: ReadonlyDeep<KubeObject>) {
    super(`${ownerKind.kind} ${name} was deleted; the cache does not show it yet`, { code: 'E_STALE_OWNER' });
  }
}

/** How many owners with deleted children are known. */
const MAX_DELETIONS = 1_000;

/**
 * Keeps a controller from creating children of an object that has been deleted.
 *
 * The watches of two kinds are independent: the deletion of a child by the garbage collector can be known while the cache
 * still shows its owner, and the reconcile of the owner would create the child again. That happens after a loss of
 * watches, when one of them is resumed or listed again first. While the cache of the owner's kind is older than another
 * kind's list, or than the deletion of one of the owner's children, the owner is read from the server before a child is
 * created.
 */
export class OwnerCheck {
  /** The resource version of the last deletion of a child, by the uid of its owner. */
  private readonly deletions = new LruMap<string>(MAX_DELETIONS);
  private disconnect: readonly (() => void)[] = [];

  constructor(
    private readonly ownerKind: KindRef,
    private readonly client: ReconcileClient,
    private readonly caches: CachedKinds,
  ) {
    this.renew();
  }

  /** Follows the present informers, after the namespaces have changed. */
  renew(): void {
    this.close();
    this.disconnect = this.caches.informers.map((informer) =>
      informer.addEventHandler(({ type, object }) => {
        if (type === 'delete') this.childDeleted(object);
      }),
    );
  }

  /** Stops following deletions. The informers may be shared with controllers that live longer. */
  close(): void {
    for (const disconnect of this.disconnect) disconnect();
  }

  /**
   * Calls `send`, which writes an object. Checks the owner first if the cache does not hold the object yet.
   *
   * Without a check, `send` is called immediately, so that its errors have the line of the caller. Rejects with a
   * StaleOwnerError.
   */
  write<T>(
    request: ReconcileRequest,
    { owner, isOwned }: Ownership,
    cached: ReadonlyDeep<KubeObject> | undefined,
    send: () => Promise<T>,
  ): Promise<T> {
    if (cached || !isOwned || !this.mayBeDeleted(owner)) return send();
    return this.readExisting(request, owner).then(send);
  }

  /**
   * Checks that the owner may own an object that has no reference to it: that it exists and is not being deleted.
   *
   * A deletion that orphans the children removes their references. If the cache does not show it yet, a new reference
   * would have the garbage collector delete what was to be kept. Rejects with a StaleOwnerError.
   */
  async assertMayAdopt(request: ReconcileRequest, owner: ReadonlyDeep<KubeObject>): Promise<void> {
    request.throwIfAborted();
    const live = await this.readExisting(request, owner);
    if (live.metadata.deletionTimestamp !== undefined) throw new StaleOwnerError(this.ownerKind, owner);
  }

  /** Must be called when a child is deleted that a cache of `ctx.watch` holds. */
  childDeleted({ metadata: { ownerReferences = [], resourceVersion = '' } }: ReadonlyDeep<KubeObject>): void {
    const owner = ownerReferences.find(({ kind }) => kind === this.ownerKind.kind);
    if (owner) this.deletions.set(owner.uid, resourceVersion);
  }

  private mayBeDeleted({ metadata: { uid = '' } }: ReadonlyDeep<KubeObject>): boolean {
    const deletedAt = this.deletions.get(uid);
    if (deletedAt !== undefined && this.caches.lagsBehind(this.ownerKind, deletedAt)) return true;
    return this.caches.lagsBehindList(this.ownerKind);
  }

  /** Returns the owner as the server has it. Rejects with a StaleOwnerError. */
  async readExisting(request: ReconcileRequest, owner: ReadonlyDeep<KubeObject>): Promise<KubeObject> {
    const { name, namespace, uid } = owner.metadata;
    const live = await readLive(this.client.for(request), this.ownerKind, name, { namespace });
    if (!live || live.metadata.uid !== uid) throw new StaleOwnerError(this.ownerKind, owner);
    return live;
  }
}
