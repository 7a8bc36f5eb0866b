import { hash } from 'node:crypto';
import { apiVersionOf, kindKey, type KindRef } from '../api/kind-ref.js';
import type { Desired, KubeObject } from '../api/kube-object.js';
import { keyOf } from '../api/object-key.js';
import { checkOwnership, controllerOf, controllerReference } from '../api/owner-reference.js';
import { stringifyJson } from '../base/json.js';
import { InvalidError } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import { AlreadyOwnedError } from './already-owned-error.js';
import type { CachedKinds } from './cached-kinds.js';
import type { ObjectWriter } from './object-writer.js';
import type { ReconcileRequest } from './reconcile-request.js';
import { isSameApartFromStatus, isSameObject } from './watched-change.js';

/** What was applied, and the object as the server answered or has since been found unchanged. */
interface Applied {
  readonly digest: string;
  readonly object: KubeObject;
}

/** Who applies: the reconciled object, and whether the child is to be owned by it. */
export interface ApplyCall {
  readonly owner: KubeObject;
  readonly isOwned: boolean;
  readonly force: boolean;
}

/**
 * Server-side apply that sends nothing when nothing is to be done.
 *
 * Flow: the desired object gets its identity and owner reference; when the same was applied before and the cached
 * object has kept everything but its status since, that object is the answer; otherwise the server corrects it.
 * Guarantees: a drift made by anyone is sent again as soon as the cache shows it; an equal apply that the server finds
 * to be no change leads to no event, so there is no loop; an object of another controller is never written.
 * Assumptions: what was applied by an earlier process is not known, so each child is applied once after a start.
 */
export class Applier {
  private readonly appliedByChild = new Map<string, Applied>();

  constructor(
    private readonly ownerKind: KindRef,
    private readonly client: Client,
    private readonly caches: CachedKinds,
    private readonly writer: ObjectWriter,
  ) {}

  async apply(
    request: ReconcileRequest,
    kind: KindRef,
    given: Desired<KubeObject>,
    call: ApplyCall,
  ): Promise<KubeObject> {
    const desired = this.complete(kind, given, call);
    const { name = '', namespace } = desired.metadata;
    const isCached = this.caches.covers(kind, namespace);
    const cached = isCached ? this.caches.get(kind, name, namespace) : undefined;
    if (cached && call.isOwned) this.refuseForeign(kind, cached, call.owner);
    const digest = hash('sha1', `${String(call.force)}${stringifyJson(desired)}`, 'base64');
    const child = childKey(kind, name, namespace);
    if (cached && this.isApplied(child, digest, cached, desired)) {
      request.run?.skipped('apply', kind, cached);
      return cached;
    }
    const object = await this.send(request, kind, desired, call);
    if (isCached) this.appliedByChild.set(child, { digest, object });
    return object;
  }

  /** To be called when a child is gone or about to go: what was applied to it says nothing about its successor. */
  forget(kind: KindRef, name: string, namespace: string | undefined): void {
    this.appliedByChild.delete(childKey(kind, name, namespace));
  }

  private complete(kind: KindRef, given: Desired<KubeObject>, { owner, isOwned }: ApplyCall): Desired<KubeObject> {
    const isNamespaced = kind.scope === 'Namespaced';
    const namespace = given.metadata.namespace ?? owner.metadata.namespace;
    const metadata = { ...given.metadata, ...(isNamespaced && namespace !== undefined && { namespace }) };
    const desired = { ...given, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
    if (!isOwned) return desired;
    checkOwnership(owner, this.ownerKind, desired as KubeObject, kind);
    const others = metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid) ?? [];
    metadata.ownerReferences = [...others, controllerReference(this.ownerKind, owner)];
    return desired;
  }

  private isApplied(child: string, digest: string, cached: KubeObject, desired: Desired<KubeObject>): boolean {
    const applied = this.appliedByChild.get(child);
    if (applied?.digest !== digest) return false;
    const isSame = 'status' in desired ? isSameObject : isSameApartFromStatus;
    if (!isSame(applied.object, cached)) return false;
    if (applied.object !== cached) this.appliedByChild.set(child, { digest, object: cached });
    return true;
  }

  private refuseForeign(kind: KindRef, child: KubeObject, owner: KubeObject): void {
    const controller = controllerOf(child);
    if (controller && controller.uid !== owner.metadata.uid) throw new AlreadyOwnedError(kind, child, controller);
  }

  private async send(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    call: ApplyCall,
  ): Promise<KubeObject> {
    try {
      return await this.writer.apply(request, kind, desired, { force: call.force });
    } catch (error) {
      // The server refuses a second controller reference, so what the cache did not show yet is no harm.
      if (call.isOwned && error instanceof InvalidError && error.message.includes('ownerReferences')) {
        const { name = '', namespace } = desired.metadata;
        this.refuseForeign(kind, await this.client.get(kind, name, { namespace, signal: request.signal }), call.owner);
      }
      throw error;
    }
  }
}

function childKey(kind: KindRef, name: string, namespace: string | undefined): string {
  return `${kindKey(kind)}/${keyOf(name, namespace)}`;
}
