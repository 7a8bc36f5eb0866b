import { hash } from 'node:crypto';
import { kindKey, type KindRef } from '../api/kind-ref.js';
import type { Desired, KubeObject } from '../api/kube-object.js';
import { keyOf } from '../api/object-key.js';
import { stringifyJson } from '../base/json.js';
import { ConflictError, InvalidError } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import type { CachedKinds } from './cached-kinds.js';
import { assertNoOtherController, childObject, isOwnedBy, type Ownership } from './child-ownership.js';
import { NotOwnedError } from './not-owned-error.js';
import type { ObjectWriter } from './object-writer.js';
import type { OwnerCheck } from './owner-check.js';
import { readLive } from './read-live.js';
import type { ReconcileRequest } from './reconcile-request.js';
import { isSameApartFromStatus, isSameObject } from './same-object.js';

/** The digest of what was applied, and the object that the server returned or that was found unchanged since. */
interface Applied {
  readonly digest: string;
  readonly object: KubeObject;
}

/** A child as the cache shows it, if the kind is cached. */
interface CachedChild {
  readonly isCached: boolean;
  readonly cached: KubeObject | undefined;
}

export interface ApplyCall extends Ownership {
  readonly force: boolean;
  /** True to take over an existing object that this controller did not create. */
  readonly adopt: boolean;
}

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
}

/**
 * Server-side apply that sends nothing when nothing has to change.
 *
 * Flow: the desired object gets its identity and owner reference; if the same was applied before and the cached object
 * has kept everything but its status since, the cached object is returned; otherwise the object is applied.
 * Guarantees: drift is corrected as soon as the cache shows it; an apply without effect causes no event and therefore
 * no loop; an owned object is never written when another controller owns it, nor when it exists and this controller did
 * not create it, unless `adopt` is set.
 * Assumptions: what an earlier process applied is not known, so each child is applied once after a start.
 */
export class Applier {
  private readonly appliedByChild = new Map<string, Applied>();

  constructor(
    private readonly ownerKind: KindRef,
    private readonly client: Client,
    private readonly caches: CachedKinds,
    private readonly writer: ObjectWriter,
    private readonly ownerCheck: OwnerCheck,
  ) {}

  async apply(
    request: ReconcileRequest,
    kind: KindRef,
    given: Desired<KubeObject>,
    call: ApplyCall,
  ): Promise<KubeObject> {
    const desired = childObject(kind, given, this.ownerKind, call);
    const { name = '', namespace } = desired.metadata;
    const lister = this.caches.listerFor(request.key, kind, namespace, name);
    const cached = lister?.get(name, namespace);
    if (cached && call.isOwned) assertNoOtherController(kind, cached, call.owner);
    const digest = hash('sha1', `${String(call.force)}${stringifyJson(desired)}`, 'base64');
    const child = childKey(kind, name, namespace);
    if (cached && this.isApplied(child, digest, cached, desired)) {
      request.run?.skipped('apply', kind, cached);
      return cached;
    }
    const send = () => this.send(request, kind, desired, call, { isCached: lister !== undefined, cached });
    const object = await this.ownerCheck.write(request, call, cached, send);
    if (lister) this.appliedByChild.set(child, { digest, object });
    return object;
  }

  /** Must be called when a child is or will be deleted: its successor has to be applied again. */
  forget(kind: KindRef, name: string, namespace: string | undefined): void {
    this.appliedByChild.delete(childKey(kind, name, namespace));
  }

  private isApplied(child: string, digest: string, cached: KubeObject, desired: Desired<KubeObject>): boolean {
    const applied = this.appliedByChild.get(child);
    if (applied?.digest !== digest) return false;
    const isSame = 'status' in desired ? isSameObject : isSameApartFromStatus;
    if (!isSame(applied.object, cached)) return false;
    if (applied.object !== cached) this.appliedByChild.set(child, { digest, object: cached });
    return true;
  }

  /** Sends the desired object, with or without force. */
  private async send(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    call: ApplyCall,
    { isCached, cached }: CachedChild,
  ): Promise<KubeObject> {
    const { force } = call;
    if (cached && call.isOwned && isOwnedBy(cached, call.owner))
      return this.writeCached(request, kind, desired, call, cached);
    if (needsNoCheck(call, cached)) return this.write(request, kind, desired, call, force);
    if (cached || !isCached) {
      await this.assertAdoptable(request, kind, desired, call, cached);
      return this.write(request, kind, desired, call, force);
    }
    try {
      // Nothing to overwrite is known. Without force the server rejects fields of an object the cache does not show yet.
      return await this.write(request, kind, desired, call, false);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      await this.assertOurs(request, kind, desired, call);
      if (!force) throw error;
      return this.write(request, kind, desired, call, true);
    }
  }

  /**
   * Writes a child that the cache holds, with its uid, so that the server does not create it if it has been deleted: then
   * its owner may have been deleted too.
   */
  private async writeCached(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    call: ApplyCall,
    cached: KubeObject,
  ): Promise<KubeObject> {
    const { uid = '' } = cached.metadata;
    try {
      return await this.write(request, kind, { ...desired, metadata: { uid, ...desired.metadata } }, call, call.force);
    } catch (error) {
      if (!mayBeReplaced(error) || (await this.live(request, kind, desired))?.metadata.uid === uid) throw error;
      await this.ownerCheck.assertExists(request, call.owner);
      return this.send(request, kind, desired, call, { isCached: true, cached: undefined });
    }
  }

  /** Checks an object without a reference to the owner, before it gets one. */
  private async assertAdoptable(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    call: ApplyCall,
    cached: KubeObject | undefined,
  ): Promise<void> {
    if (!call.adopt) await this.assertOurs(request, kind, desired, call);
    if (cached) await this.ownerCheck.assertMayAdopt(request, call.owner);
  }

  private async write(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    call: ApplyCall,
    force: boolean,
  ): Promise<KubeObject> {
    try {
      return await this.writer.apply(request, kind, desired, { force });
    } catch (error) {
      // The server rejects a second controller reference, which covers a cache that is behind.
      if (call.isOwned && error instanceof InvalidError && error.message.includes('ownerReferences')) {
        const live = await this.live(request, kind, desired);
        if (live) assertNoOtherController(kind, live, call.owner);
      }
      throw error;
    }
  }

  /** @throws AlreadyOwnedError or NotOwnedError when the object exists and this controller did not create it. */
  private async assertOurs(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    { owner }: ApplyCall,
  ): Promise<void> {
    const live = await this.live(request, kind, desired);
    if (!live) return;
    assertNoOtherController(kind, live, owner);
    const { managedFields = [] } = live.metadata as { readonly managedFields?: readonly ManagedFields[] };
    // An object that has lost its owner reference is still ours if this controller applied it.
    const isApplied = managedFields.some(
      ({ manager, operation }) => manager === this.writer.fieldManager && operation === 'Apply',
    );
    if (!isApplied && !isOwnedBy(live, owner)) throw new NotOwnedError(kind, live, owner);
  }

  private live(
    request: ReconcileRequest,
    kind: KindRef,
    { metadata }: Desired<KubeObject>,
  ): Promise<KubeObject | undefined> {
    const { name = '', namespace } = metadata;
    request.sentRequests += 1;
    return readLive(this.client, kind, name, { namespace, signal: request.signal });
  }
}

/** Returns whether a write was rejected because the object with its uid was deleted; a conflict has other reasons too. */
function mayBeReplaced(error: unknown): boolean {
  return error instanceof ConflictError || (error instanceof InvalidError && error.message.includes('metadata.uid'));
}

/** Returns whether a write needs no proof that the object is ours: it gets no owner, has ours, or may be taken over. */
function needsNoCheck({ isOwned, owner, adopt }: ApplyCall, cached: KubeObject | undefined): boolean {
  return !isOwned || (cached ? isOwnedBy(cached, owner) : adopt);
}

function childKey(kind: KindRef, name: string, namespace: string | undefined): string {
  return `${kindKey(kind)}/${keyOf(name, namespace)}`;
}
