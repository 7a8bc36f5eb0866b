import { hash } from 'node:crypto';
import { kindKey, type KindRef } from '../api/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../api/kube-object.js';
import { keyOf } from '../api/object-key.js';
import type { Clock } from '../base/clock.js';
import { parseJson, stringifyJson } from '../base/json.js';
import { ConflictError, InvalidError } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import { hasApplied } from '../client/field-ownership.js';
import { collectRejectedFields, keepsApplied, withEncodedData } from './applied-state.js';
import type { CachedKinds } from './cached-kinds.js';
import { assertNoOtherController, childObject, isOwnedBy, type Ownership } from './child-ownership.js';
import { LruMap } from './lru-map.js';
import { SharedFields } from './shared-fields.js';
import { NotOwnedError } from './not-owned-error.js';
import type { ObjectWriter } from './object-writer.js';
import type { OwnerCheck } from './owner-check.js';
import { readLive } from './read-live.js';
import type { ReconcileRequest } from './reconcile-request.js';

/** How often an apply is repeated at most whose fields the server has not stored as they were sent. */
const REJECTED_RETRY_MS = 60_000;

const MOST_REPORTED = 1_000;
/** How many reconciled objects that apply to one object are known. */
const MOST_WRITERS = 1_000;

/**
 * With it, the API server creates an object, and rejects one that exists with a conflict: it compares the resource versions
 * of an existing object only, and etcd assigns the first revision to none.
 */
const VERSION_OF_NO_OBJECT = '1';

/** The digest of what was applied, and the object that the server returned or that was found unchanged since. */
interface Applied {
  readonly digest: string;
  readonly object: ReadonlyDeep<KubeObject>;
  /** Set if the object does not have these of the applied fields. */
  readonly rejected?: { readonly fields: string; readonly retryAtMs: number; readonly owner: string };
}

export interface ApplyCall extends Ownership {
  readonly force: boolean;
  /** True to take over an existing object that this controller did not create. */
  readonly adopt: boolean;
}

/**
 * Server-side apply that sends nothing when nothing has to change.
 *
 * Flow: the desired object gets its identity and owner reference; if the same was applied before and the cached object
 * has kept everything but its status and others' metadata since, the cached object is returned; otherwise the object is
 * applied. If the answer does not have the applied fields, because admission changed them, the apply is repeated by later
 * reconciles: after a change of the owner, and otherwise once a minute at most.
 * Guarantees: drift is corrected as soon as the cache shows it; an apply without effect causes no event and therefore
 * no loop; an owned object is never written when another controller owns it, nor when it exists and this controller did
 * not create it, unless `adopt` is set.
 * Assumptions: what an earlier process applied is not known, so each child is applied once after a start. A cache may be
 * behind, or hold a selection of the objects, so a child that it does not hold is sent in a form that never changes an
 * existing object. A child of a kind that is not watched is read from the server before it is applied.
 */
export class Applier {
  /** By the child and the field manager. */
  private readonly applied = new Map<string, LruMap<Applied>>();
  /** The rejected fields of each kind that were logged. */
  private readonly reported = new LruMap<true>(MOST_REPORTED);
  private readonly shared: SharedFields;

  constructor(
    private readonly ownerKind: KindRef,
    private readonly client: Client,
    private readonly caches: CachedKinds,
    private readonly writer: ObjectWriter,
    private readonly ownerCheck: OwnerCheck,
    private readonly clock: Clock,
  ) {
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
    const child = childKey(kind, name, namespace);
    if (cached && this.isApplied(child, digest, cached, desired, call)) {
      request.run?.skipped('apply', kind, cached);
      return cached;
    }
    const send = () => this.send(request, kind, desired, call, cached);
    const object = await this.ownerCheck.write(request, call, cached, send);
    if (lister) this.remember(request, kind, child, call, { digest, object, ...this.rejectedOf(json, object, call) });
    return object;
  }

  /** Must be called when a child is or will be deleted: its successor has to be applied again. */
  forget(kind: KindRef, name: string, namespace: string | undefined): void {
    this.applied.delete(childKey(kind, name, namespace));
  }

  /** Not for a cached part: the object is equal to none, and much larger. */
  private remember({ log }: ReconcileRequest, kind: KindRef, child: string, call: ApplyCall, applied: Applied): void {
    if (kind.part?.reduce) return;
    const byManager = this.applied.get(child) ?? new LruMap<Applied>(MOST_WRITERS);
    this.applied.set(child, byManager);
    byManager.set(this.managerOf(call), applied);
    const { fields } = applied.rejected ?? {};
    const report = `${kindKey(kind)} ${fields ?? ''}`;
    if (fields === undefined || this.reported.get(report)) return;
    this.reported.set(report, true);
    log.warn('The server did not store applied fields as they were sent', { object: child, fields });
  }

  private rejectedOf(json: string, object: ReadonlyDeep<KubeObject>, { owner }: ApplyCall): Pick<Applied, 'rejected'> {
    const fields: string[] = [];
    collectRejectedFields(parseJson(json), object, fields);
    if (fields.length === 0) return {};
    const retryAtMs = this.clock.monotonic() + REJECTED_RETRY_MS;
    return { rejected: { fields: fields.join(', '), retryAtMs, owner: stateOf(owner) } };
  }

  private managerOf({ isOwned, owner }: ApplyCall): string {
    return isOwned ? this.writer.fieldManager : this.shared.managerOf(owner);
  }

  private isApplied(
    child: string,
    digest: string,
    cached: ReadonlyDeep<KubeObject>,
    desired: Desired<KubeObject>,
    call: ApplyCall,
  ): boolean {
    const byManager = this.applied.get(child);
    const applied = byManager?.get(this.managerOf(call));
    if (applied?.digest !== digest || !keepsApplied(desired, applied.object, cached)) return false;
    const { rejected } = applied;
    if (rejected && (rejected.retryAtMs <= this.clock.monotonic() || rejected.owner !== stateOf(call.owner)))
      return false;
    if (applied.object !== cached) byManager?.set(this.managerOf(call), { ...applied, object: cached });
    return true;
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
      return await this.writer.apply(request, kind, desired, { force, fieldManager, formerManager });
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
    request.sentRequests += 1;
    return readLive(this.client, kind, name, { namespace, signal: request.signal });
  }
}

/** Returns whether a write was rejected because the object with its uid was deleted; a conflict has other reasons too. */
function mayBeReplaced(error: unknown): boolean {
  return error instanceof ConflictError || (error instanceof InvalidError && error.message.includes('metadata.uid'));
}

/** Changes with what users change of an object, and not with its status. */
function stateOf({ metadata }: ReadonlyDeep<KubeObject>): string {
  const { uid, generation, labels, annotations } = metadata;
  return stringifyJson([uid, generation, labels, annotations]);
}

function childKey(kind: KindRef, name: string, namespace: string | undefined): string {
  return `${kindKey(kind)}/${keyOf(name, namespace)}`;
}
