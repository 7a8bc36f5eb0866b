import { isDeleted } from '../../api/objects/is-deleted.js';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { WriteOp } from '../../api/reconcile/reconcile-observer.js';
import type { Status } from '../../api/protocol/status.js';
import { subresourceKind } from '../../api/kinds/subresource.js';
import { deepClone } from '../../base/deep-clone.js';
import { ForbiddenError } from '../../client/api-error.js';
import type {
  DeleteOptions,
  OutgoingRequest,
  PatchOptions,
  RequestTarget,
  WriteOptions,
} from '../../client/client-options.js';
import { dropManagedFields } from '../../client/fields/drop-managed-fields.js';
import { hasApplied } from '../../client/fields/field-ownership.js';
import { isReadMethod } from '../../client/is-read-method.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import { clusterHint } from '../read/rbac-hint.js';
import type { ReconcileClient } from '../run/reconcile-client.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';
import { UnknownOutcomes, type ObjectName } from './unknown-outcome.js';
import type { WriteFence } from './write-fence.js';

const RBAC_HINT = 'add @Rbac for it to the class, then run generate-manifests and apply the generated roles';

interface ApplyOptions {
  readonly force: boolean;
  /** Default: that of the controller. */
  readonly fieldManager?: string;
  /** Returns the manager that the object was applied as before; the fields that it alone has are removed. */
  readonly formerManager?: (applied: KubeObject) => string | undefined;
  /** Called with the answer to the apply, which has managedFields then. */
  readonly onAnswer?: (answer: KubeObject) => void;
}

type DeletionResponse = Partial<KubeObject> & Pick<Status, 'details'>;

/** The options of a call that `permit` has allowed. */
type Permit = Required<Pick<WriteOptions, 'beforeSend'>>;

/** A write of one object. */
interface Write<T extends KubeObject | undefined> {
  readonly action: WriteOp['do'];
  readonly kind: KindRef;
  readonly target: ObjectName;
  /** Sends the request and returns the object that the server has stored; undefined if it stores none. */
  readonly call: (permit: Permit) => Promise<T>;
}

/**
 * Sends every write of a controller.
 *
 * Guarantees: nothing is sent once the request is aborted or the fence rejects writes, even if the write has waited for
 * a connection or for a retry; an abort cancels a write in flight; the cache holds the result of a write, a deletion
 * included, before the write returns. That also holds for a write that rejects because its response was lost, if the
 * object can be read afterwards. `send` gives them, one after the other.
 */
export class ObjectWriter {
  private readonly outcomes: UnknownOutcomes;

  constructor(
    private readonly client: ReconcileClient,
    private readonly caches: Pick<CachedKinds, 'observe' | 'observeDeletion' | 'find'>,
    private readonly fence: WriteFence,
  ) {
    this.outcomes = new UnknownOutcomes(client.base, caches);
  }

  get fieldManager(): string {
    return this.client.fieldManager;
  }

  async apply(
    request: ReconcileRequest,
    kind: KindRef,
    object: Desired<KubeObject>,
    options: ApplyOptions,
  ): Promise<KubeObject> {
    const { force, fieldManager = this.fieldManager, formerManager, onAnswer } = options;
    const client = this.client.for(request);
    const call = async (permit: Permit): Promise<KubeObject> => {
      const applied = await client.apply(kind, object, { force, ...permit, fieldManager });
      onAnswer?.(applied);
      const former = formerManager?.(applied);
      if (former === undefined || !hasApplied(applied, former)) return applied;
      const { name, namespace, uid = '' } = applied.metadata;
      const nothing = { metadata: { name, uid, ...(namespace !== undefined && { namespace }) } };
      return client.apply(kind, nothing, { force, ...permit, fieldManager: former });
    };
    return this.send(request, { action: 'apply', kind, target: object.metadata, call });
  }

  async create(request: ReconcileRequest, kind: KindRef, object: Desired<KubeObject>): Promise<KubeObject> {
    const call = (permit: Permit): Promise<KubeObject> => this.client.for(request).create(kind, object, permit);
    return this.send(request, { action: 'create', kind, target: object.metadata, call });
  }

  /** Sends a whole object, also of a kind that is cached as a part. */
  async update(request: ReconcileRequest, kind: KindRef, object: KubeObject): Promise<KubeObject> {
    const { part: _part, ...whole } = kind;
    const call = (permit: Permit): Promise<KubeObject> => this.client.for(request).update(whole, object, permit);
    return this.send(request, { action: 'update', kind, target: object.metadata, call });
  }

  async patch(
    request: ReconcileRequest,
    kind: KindRef,
    name: string,
    patch: unknown,
    options: Pick<PatchOptions, 'namespace' | 'type' | 'subresource'>,
  ): Promise<KubeObject> {
    const { namespace, subresource } = options;
    const action = subresource === 'status' ? 'status' : 'patch';
    const call = (permit: Permit): Promise<KubeObject> =>
      this.client.for(request).patch(kind, name, patch, { ...options, ...permit });
    return this.send(request, { action, kind, target: { name, namespace }, call });
  }

  async delete(
    request: ReconcileRequest,
    kind: KindRef,
    object: ReadonlyDeep<KubeObject>,
    options: Pick<DeleteOptions, 'propagationPolicy' | 'preconditions'>,
  ): Promise<void> {
    const { namespace, name, uid } = object.metadata;
    const call = async (permit: Permit): Promise<KubeObject | undefined> => {
      if (uid !== undefined) request.run?.deleted(uid);
      const pending = await this.client.for(request).delete(kind, name, { ...options, namespace, ...permit });
      if (!pending) this.caches.observeDeletion(kind, object);
      return pending;
    };
    await this.send(request, { action: 'delete', kind, target: { name, namespace, uid }, call });
  }

  /** Sends a request of `ctx.client`, with the guarantees of the other methods if it writes. */
  async pass(
    request: ReconcileRequest,
    outgoing: OutgoingRequest,
    send: (request: OutgoingRequest) => Promise<unknown>,
  ): Promise<unknown> {
    if (isReadMethod(outgoing.method)) {
      request.throwIfAborted();
      return send(outgoing);
    }
    const guarded = ({ beforeSend }: Permit): OutgoingRequest => ({
      ...outgoing,
      beforeSend: inOrder(beforeSend, outgoing.beforeSend),
    });
    const { target, query } = outgoing;
    if (!target || query?.['dryRun'] !== undefined) return send(guarded(this.permit(request)));
    const { kind, subresource } = target;
    let response: unknown;
    const call = async (permit: Permit): Promise<KubeObject | undefined> => {
      response = await send(guarded(permit));
      return this.storedBy(request, { ...outgoing, target }, response);
    };
    // A scale or a token is not an object of the kind.
    if (subresourceKind(subresource)) this.observe(request, kind, await call(this.permit(request)));
    else await this.send(request, { action: actionOf(outgoing), kind, target, call });
    return response;
  }

  /**
   * Sends a request of `ctx.cluster(name)`: fenced and aborted as others, but of no object in the caches. `cluster` is
   * undefined for the operator's own.
   */
  async passTo(
    cluster: string | undefined,
    request: ReconcileRequest,
    outgoing: OutgoingRequest,
    send: (request: OutgoingRequest) => Promise<unknown>,
  ): Promise<unknown> {
    request.throwIfAborted();
    try {
      if (isReadMethod(outgoing.method)) return await send(outgoing);
      const { beforeSend } = this.permit(request);
      return await send({ ...outgoing, beforeSend: inOrder(beforeSend, outgoing.beforeSend) });
    } catch (error) {
      if (!(error instanceof ForbiddenError)) throw error;
      const hint = cluster === undefined ? RBAC_HINT : clusterHint(cluster);
      const { status, reason, request: rejected, details } = error;
      const where = cluster === undefined ? '' : `cluster ${cluster}: `;
      throw new ForbiddenError(`${where}${error.message}`, {
        status,
        reason,
        request: rejected,
        details,
        hint,
      });
    }
  }

  /** Sends a write with the guarantees of the class, in their order. */
  private async send<T extends KubeObject | undefined>(
    request: ReconcileRequest,
    { action, kind, target, call }: Write<T>,
  ): Promise<T> {
    const { name = '', namespace } = target;
    const permit = this.permit(request);
    const before = this.caches.find(kind, name, namespace);
    const record = request.run?.beginWrite(action, kind, { name, namespace, before });
    try {
      const stored = await call(permit);
      this.observe(request, kind, stored);
      if (action === 'status' && stored) request.onStatusWrite?.(stored);
      record?.succeeded(stored);
      return stored;
    } catch (error) {
      await this.outcomes.readIfUnknown(error, request, kind, target);
      record?.failed(error);
      throw error;
    }
  }

  private permit(request: ReconcileRequest): Permit {
    request.throwIfAborted();
    const beforeSend = (): void => {
      this.fence(request.key);
    };
    beforeSend();
    return { beforeSend };
  }

  /** Makes the cache hold an object as the server has stored it. */
  private observe({ run }: ReconcileRequest, kind: KindRef, stored: KubeObject | undefined): void {
    if (!stored) return;
    dropManagedFields(stored);
    run?.wrote(stored);
    // The write that removes the last finalizer of a terminating object deletes it.
    if (isDeleted(stored)) this.caches.observeDeletion(kind, stored);
    else this.caches.observe(kind, stored);
  }

  /** Returns a copy of the object that a response of `ctx.client` contains; undefined if it contains none or the object was deleted. */
  private storedBy(
    request: ReconcileRequest,
    { method, target }: OutgoingRequest & { readonly target: RequestTarget },
    response: unknown,
  ): KubeObject | undefined {
    const { metadata } = response as Partial<KubeObject>;
    if (method === 'DELETE' && metadata?.deletionTimestamp === undefined) {
      this.observeDeletion(request, target, response as DeletionResponse);
      return undefined;
    }
    return metadata?.uid === undefined ? undefined : deepClone(response as KubeObject);
  }

  /** The response is the deleted object, or a Status that names it. */
  private observeDeletion(
    { run }: ReconcileRequest,
    { kind, name = '', namespace }: RequestTarget,
    { metadata, details }: DeletionResponse,
  ): void {
    const uid = metadata?.uid ?? details?.uid;
    if (uid === undefined) return;
    run?.deleted(uid);
    this.caches.observeDeletion(kind, { metadata: { name, uid, ...(namespace !== undefined && { namespace }) } });
  }

  /** Returns the options of connections to pods: they end with the reconcile, and none is opened without the lease. */
  streaming(request: ReconcileRequest, namespace: string | undefined) {
    const beforeWrite = (): void => {
      this.permit(request);
    };
    request.throwIfAborted();
    request.requestSent();
    return { signal: request.signal, namespace, beforeWrite };
  }
}

function actionOf({ method, contentType = '', target }: OutgoingRequest): WriteOp['do'] {
  if (target?.subresource === 'status') return 'status';
  if (method === 'PATCH') return contentType.includes('apply-patch') ? 'apply' : 'patch';
  return method === 'POST' ? 'create' : method === 'PUT' ? 'update' : 'delete';
}

function inOrder(first: (() => void) | undefined, second: (() => void) | undefined): () => void {
  return () => {
    first?.();
    second?.();
  };
}
