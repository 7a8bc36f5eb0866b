import { hash } from 'node:crypto';
import { kindKey, type KindRef } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { keyOf } from '../../api/objects/object-key.js';
import type { Clock } from '../../base/clock.js';
import { stringifyJson } from '../../base/json.js';
import { ConflictError, InvalidError } from '../../client/api-error.js';
import { hasApplied } from '../../client/fields/field-ownership.js';
import { AppliedObjects, type AppliedBy } from './applied-objects.js';
import { withEncodedData } from './applied-state.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import { assertNoOtherController, childObject, isOwnedBy, type Ownership } from './child-ownership.js';
import { FormerFields } from './former-fields.js';
import { SharedFields } from './shared-fields.js';
import { NotOwnedError } from '../run/not-owned-error.js';
import type { ObjectWriter } from './object-writer.js';
import type { OwnerCheck } from './owner-check.js';
import { readLive } from '../read/read-live.js';
import type { ReconcileClient } from '../run/reconcile-client.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';

/**
 * With it, the API server creates an object, and rejects one that exists with a conflict: it compares the resource versions
 * of an existing object only, and etcd assigns the first revision to none.
 */
const VERSION_OF_NO_OBJECT = '1';

export interface ApplyCall extends Ownership {
  readonly force: boolean;
  /** True to take over an existing object that this controller did not create. */
  readonly adopt: boolean;
}

export interface ApplierSettings {
  readonly clock: Clock;
  /** Default: none. */
  readonly formerFieldManagers?: readonly string[] | undefined;
}

/**
 * Server-side apply that sends nothing when nothing has to change.
 *
 * Flow: the desired object gets its identity and owner reference; if the same was applied before and the cached object
 * has kept the values of the applied fields since, the cached object is returned; otherwise the object is applied. If the
 * answer does not have the applied fields, because admission changed them, the apply is repeated by later reconciles: after a
 * change of the owner, and otherwise once a minute at most.
 * Guarantees: drift is corrected as soon as the cache shows it; an apply without effect causes no event and therefore
 * no loop; an owned object is never written when another controller owns it, nor when it exists and this controller did
 * not create it, unless `adopt` is set.
 * Assumptions: what an earlier process applied to an owned kind is known from the managedFields of the first list, and only
 * as long as the object does not change; otherwise a child is applied once after a start. One with an empty list of type map
 * or set is applied until an answer has shown that such a list owns no field, once for each kind. A cache may be behind, or hold a
 * selection of the objects, so a child that it does not hold is sent in a form that never changes an existing object. A
 * child of a kind that is not watched is read from the server before it is applied.
 */
export class Applier {
  private readonly applied: AppliedObjects;
  private readonly shared: SharedFields;
  private readonly former: FormerFields;

  constructor(
    private readonly ownerKind: KindRef,
    private readonly client: ReconcileClient,
    private readonly caches: CachedKinds,
    private readonly writer: ObjectWriter,
    private readonly ownerCheck: OwnerCheck,
    { clock, formerFieldManagers = [] }: ApplierSettings,
  ) {
    this.applied = new AppliedObjects(clock);
    this.former = new FormerFields(formerFieldManagers, client, writer);
    this.shared = new SharedFields(ownerKind, caches, writer.fieldManager);
  }

  async apply(
    request: ReconcileRequest,
    kind: KindRef,
    given: Desired<KubeObject>,
    call: ApplyCall,
  ): Promise<ReadonlyDeep<KubeObject>> {
    const desired = withEncodedData(kind, childObject(kind, given, this.ownerKind, call));
    const { name = '', namespace } = desired.metadata;
    const lister = this.caches.listerFor(request.key, kind, namespace, name);
    const cached = lister?.get(name, namespace);
    if (cached && call.isOwned) assertNoOtherController(kind, cached, call.owner);
    const json = stringifyJson(desired);
    const digest = hash('sha1', `${String(call.force)}${json}`, 'base64');
    const { owner, isOwned } = call;
    const child = childKey(kind, name, namespace);
    const by = { kind, child, owner, manager: this.managerOf(call), isShared: !isOwned };
    const hasFormer = this.former.mayHave(cached);
    const isKept = (object: ReadonlyDeep<KubeObject>): boolean =>
      this.applied.has(by, digest, object, desired) || (!hasFormer && this.recall(by, digest, object, json));
    if (cached && isKept(cached)) {
      request.run?.skipped('apply', kind, cached);
      return cached;
    }
    if (hasFormer) await this.former.take(request, kind, desired, { ...call, manager: by.manager });
    const send = () => this.send(request, kind, desired, call, cached);
    const object = await this.ownerCheck.write(request, call, cached, send);
    if (lister) this.applied.add(by, digest, json, object, request.log);
    return object;
  }

  /** Must be called when a child is or will be deleted: its successor has to be applied again. */
  forget(kind: KindRef, name: string, namespace: string | undefined): void {
    this.applied.delete(childKey(kind, name, namespace));
  }

  private recall(by: AppliedBy, digest: string, cached: ReadonlyDeep<KubeObject>, json: string): boolean {
    const listed = this.caches.takeAppliedFields(by.kind, cached, by.manager);
    const former = this.shared.formerManager({ owner: by.owner, isOwned: !by.isShared })(cached);
    const isReleased = !listed.some(({ manager }) => manager === former);
    return isReleased && this.applied.recall(by, digest, cached, listed, json);
  }

  private managerOf({ isOwned, owner }: ApplyCall): string {
    return isOwned ? this.writer.fieldManager : this.shared.managerOf(owner);
  }

  /** Sends the desired object, with or without force. */
  private async send(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    call: ApplyCall,
    cached: ReadonlyDeep<KubeObject> | undefined,
  ): Promise<KubeObject> {
    const { isOwned, owner, adopt, force } = call;
    if (cached && isOwned && isOwnedBy(cached, owner)) return this.writeCached(request, kind, desired, call, cached);
    if (!isOwned) return this.writeShared(request, kind, desired, call);
    if (adopt && !cached) return this.write(request, kind, desired, call, force);
    const isKnown = cached || !this.isCached(request, kind, desired);
    if (isKnown && (await this.existsAsOurs(request, kind, desired, call, cached))) {
      return this.write(request, kind, desired, call, force);
    }
    return this.create(request, kind, desired, call);
  }

  /** Sends an object that is not owned. Without force first, because the server names the managers of a conflict only then. */
  private async writeShared(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    call: ApplyCall,
  ): Promise<KubeObject> {
    try {
      return await this.write(request, kind, desired, call, false);
    } catch (error) {
      if (!call.force || !(error instanceof ConflictError)) throw error;
      const { name = '', namespace } = desired.metadata;
      this.shared.report(request, `${kind.kind} ${keyOf(name, namespace)}`, error);
      return this.write(request, kind, desired, call, true);
    }
  }

  /** Sends an object that does not exist; the server rejects one that exists, whatever its fields. */
  private async create(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    call: ApplyCall,
  ): Promise<KubeObject> {
    try {
      const { metadata } = desired;
      const created = { ...desired, metadata: { ...metadata, resourceVersion: VERSION_OF_NO_OBJECT } };
      return await this.write(request, kind, created, call, false);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      if (!(await this.existsAsOurs(request, kind, desired, call, undefined))) throw error;
      return this.write(request, kind, desired, call, call.force);
    }
  }

  private isCached(
    { key }: ReconcileRequest,
    kind: KindRef,
    { metadata: { name = '', namespace } }: Desired<KubeObject>,
  ): boolean {
    return this.caches.listerFor(key, kind, namespace, name) !== undefined;
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
    cached: ReadonlyDeep<KubeObject>,
  ): Promise<KubeObject> {
    const { uid = '' } = cached.metadata;
    try {
      return await this.write(request, kind, { ...desired, metadata: { uid, ...desired.metadata } }, call, call.force);
    } catch (error) {
      if (!mayBeReplaced(error) || (await this.live(request, kind, desired))?.metadata.uid === uid) throw error;
      await this.ownerCheck.readExisting(request, call.owner);
      return this.send(request, kind, desired, call, undefined);
    }
  }

  /**
   * Returns whether an object to own exists that this controller has created or may adopt. Rejects if it may not, and if
   * the owner of an object without its reference has been deleted.
   */
  private async existsAsOurs(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    call: ApplyCall,
    cached: ReadonlyDeep<KubeObject> | undefined,
  ): Promise<boolean> {
    const found = call.adopt ? cached : await this.readOwn(request, kind, desired, call);
    const known = found ?? cached;
    if (known && !isOwnedBy(known, call.owner)) await this.ownerCheck.assertMayAdopt(request, call.owner);
    return found !== undefined;
  }

  private async write(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    call: ApplyCall,
    force: boolean,
  ): Promise<KubeObject> {
    try {
      const fieldManager = this.managerOf(call);
      const formerManager = this.shared.formerManager(call);
      const onAnswer = (answer: KubeObject): void => {
        this.applied.readFields(answer, fieldManager);
      };
      return await this.writer.apply(request, kind, desired, { force, fieldManager, formerManager, onAnswer });
    } catch (error) {
      // The server rejects a second controller reference, which covers a cache that is behind.
      if (call.isOwned && error instanceof InvalidError && error.message.includes('ownerReferences')) {
        const live = await this.live(request, kind, desired);
        if (live) assertNoOtherController(kind, live, call.owner);
      }
      throw error;
    }
  }

  /**
   * Returns the object as the server has it.
   *
   * @throws AlreadyOwnedError or NotOwnedError when the object exists and this controller did not create it.
   */
  private async readOwn(
    request: ReconcileRequest,
    kind: KindRef,
    desired: Desired<KubeObject>,
    { owner }: ApplyCall,
  ): Promise<KubeObject | undefined> {
    const live = await this.live(request, kind, desired);
    if (!live) return undefined;
    assertNoOtherController(kind, live, owner);
    // An object that has lost its owner reference is still ours if this controller applied it.
    const managers = [this.writer.fieldManager, this.shared.managerOf(owner)];
    const isApplied = managers.some((manager) => hasApplied(live, manager));
    if (!isApplied && !isOwnedBy(live, owner)) throw new NotOwnedError(kind, live, owner);
    return live;
  }

  private live(
    request: ReconcileRequest,
    kind: KindRef,
    { metadata }: Desired<KubeObject>,
  ): Promise<KubeObject | undefined> {
    const { name = '', namespace } = metadata;
    return readLive(this.client.for(request), kind, name, { namespace });
  }
}

/** Returns whether a write was rejected because the object with its uid was deleted; a conflict has other reasons too. */
function mayBeReplaced(error: unknown): boolean {
  return error instanceof ConflictError || (error instanceof InvalidError && error.message.includes('metadata.uid'));
}

function childKey(kind: KindRef, name: string, namespace: string | undefined): string {
  return `${kindKey(kind)}/${keyOf(name, namespace)}`;
}
