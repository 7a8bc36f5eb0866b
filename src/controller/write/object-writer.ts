import { isDeleted } from '../../api/is-deleted.js';
import type { KindRef } from '../../api/kind-ref.js';
import type { Desired, KubeObject, ReadonlyDeep } from '../../api/kube-object.js';
import type { WriteOp } from '../../api/probe.js';
import type { Status } from '../../api/status.js';
import { subresourceKind } from '../../api/subresource.js';
import { deepClone } from '../../base/deep-clone.js';
import { ForbiddenError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import type {
  DeleteOptions,
  OutgoingRequest,
  PatchOptions,
  RequestTarget,
  WriteOptions,
} from '../../client/client-options.js';
import { dropManagedFields } from '../../client/drop-managed-fields.js';
import { hasApplied } from '../../client/field-ownership.js';
import { isReadMethod } from '../../client/is-read-method.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import { clusterHint } from '../read/rbac-hint.js';
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

/**
 * Sends every write of a controller.
 *
 * Guarantees: nothing is sent once the request is aborted or the fence rejects writes, even if the write has waited for
 * a connection or for a retry; an abort cancels a write in flight; the cache holds the result of a write, a deletion
 * included, before the write returns. That also holds for a write that rejects because its response was lost, if the
 * object can be read afterwards.
 */
export class ObjectWriter {
  private readonly outcomes: UnknownOutcomes;

  constructor(
    private readonly client: Pick<Client, 'get' | 'apply' | 'create' | 'update' | 'patch' | 'delete'>,
    private readonly caches: Pick<CachedKinds, 'observe' | 'observeDeletion' | 'find'>,
    private readonly fence: WriteFence,
    readonly fieldManager: string,
  ) {
    this.outcomes = new UnknownOutcomes(client, caches);
  }

  async apply(
    request: ReconcileRequest,
    kind: KindRef,
    object: Desired<KubeObject>,
    options: ApplyOptions,
  ): Promise<KubeObject> {
    const { force, fieldManager = this.fieldManager, formerManager, onAnswer } = options;
    return this.write(request, 'apply', kind, object.metadata, async () => {
      const applied = await this.client.apply(kind, object, { force, ...this.permit(request), fieldManager });
      onAnswer?.(applied);
      const former = formerManager?.(applied);
      if (former === undefined || !hasApplied(applied, former)) return applied;
      const { name, namespace, uid = '' } = applied.metadata;
      const nothing = { metadata: { name, uid, ...(namespace !== undefined && { namespace }) } };
      return this.client.apply(kind, nothing, { force, ...this.permit(request), fieldManager: former });
    });
  }

  async create(request: ReconcileRequest, kind: KindRef, object: Desired<KubeObject>): Promise<KubeObject> {
    return this.write(request, 'create', kind, object.metadata, () =>
      this.client.create(kind, object, this.permit(request)),
    );
  }

  /** Sends a whole object, also of a kind that is cached as a part. */
  async update(request: ReconcileRequest, kind: KindRef, object: KubeObject): Promise<KubeObject> {
    const { part: _part, ...whole } = kind;
    return this.write(request, 'update', kind, object.metadata, () =>
      this.client.update(whole, object, this.permit(request)),
    );
  }

  async patch(
    request: ReconcileRequest,
    kind: KindRef,
    name: string,
    patch: unknown,
    options: Pick<PatchOptions, 'namespace' | 'type' | 'subresource'>,
  ): Promise<KubeObject> {
    const { namespace, subresource } = options;
    return this.write(request, subresource === 'status' ? 'status' : 'patch', kind, { name, namespace }, () =>
      this.client.patch(kind, name, patch, { ...options, ...this.permit(request) }),
    );
  }

  async delete(
    request: ReconcileRequest,
    kind: KindRef,
    object: ReadonlyDeep<KubeObject>,
    options: Pick<DeleteOptions, 'propagationPolicy' | 'preconditions'>,
  ): Promise<void> {
    const { namespace, name, uid } = object.metadata;
    await this.recorded(request, 'delete', kind, object.metadata, async () => {
      const { signal, beforeSend } = this.permit(request);
      if (uid !== undefined) request.run?.deleted(uid);
      const pending = await this.client.delete(kind, name, { ...options, namespace, signal, beforeSend });
      if (pending) return this.observed(request, kind, pending);
      this.caches.observeDeletion(kind, object);
      return undefined;
    });
  }

  /** Sends a request of `ctx.client`, with the guarantees of the other methods if it writes. */
  async pass(
    request: ReconcileRequest,
    outgoing: OutgoingRequest,
    send: (request: OutgoingRequest) => Promise<unknown>,
  ): Promise<unknown> {
    if (isReadMethod(outgoing.method)) {
      request.throwIfAborted();
      request.sentRequests += 1;
      return send(outgoing);
    }
    const { beforeSend } = this.permit(request);
    const guarded = { ...outgoing, beforeSend: inOrder(beforeSend, outgoing.beforeSend) };
    const { target, query } = outgoing;
    if (!target || query?.['dryRun'] !== undefined) return send(guarded);
    const { kind, subresource } = target;
    let response: unknown;
    const sendAndObserve = async (): Promise<KubeObject | undefined> => {
      response = await send(guarded);
      return this.observedResponse(request, { ...guarded, target }, response);
    };
    // A scale or a token is not an object of the kind.
    if (subresourceKind(subresource)) await sendAndObserve();
    else await this.recorded(request, actionOf(outgoing), kind, target, sendAndObserve);
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
      if (isReadMethod(outgoing.method)) {
        request.sentRequests += 1;
        return await send(outgoing);
      }
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

  private observedResponse(
    request: ReconcileRequest,
    { method, target }: OutgoingRequest & { readonly target: RequestTarget },
    response: unknown,
  ): KubeObject | undefined {
    const { metadata } = response as Partial<KubeObject>;
    if (method === 'DELETE' && metadata?.deletionTimestamp === undefined) {
      this.observeDeletion(request, target, response as DeletionResponse);
      return undefined;
    }
    return metadata?.uid === undefined
      ? undefined
      : this.observed(request, target.kind, deepClone(response as KubeObject));
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

  private write(
    request: ReconcileRequest,
    action: WriteOp['do'],
    kind: KindRef,
    target: ObjectName,
    send: () => Promise<KubeObject>,
  ): Promise<KubeObject> {
    return this.recorded(request, action, kind, target, async () => this.observed(request, kind, await send()));
  }

  private recorded<T extends KubeObject | undefined>(
    request: ReconcileRequest,
    action: WriteOp['do'],
    kind: KindRef,
    target: ObjectName,
    send: () => Promise<T>,
  ): Promise<T> {
    const { run } = request;
    const { name = '', namespace } = target;
    const sendAndSettle = async () => {
      const answer = await this.outcomes.resolve(request, kind, target, send);
      if (action === 'status' && answer) request.onStatusWrite?.(answer);
      return answer;
    };
    if (!run) return sendAndSettle();
    return run.write(action, kind, { name, namespace, before: this.caches.find(kind, name, namespace) }, sendAndSettle);
  }

  private permit(request: ReconcileRequest): Pick<WriteOptions, 'signal' | 'fieldManager' | 'beforeSend'> {
    request.throwIfAborted();
    const beforeSend = (): void => {
      this.fence(request.key);
    };
    beforeSend();
    request.sentRequests += 1;
    return { signal: request.signal, fieldManager: this.fieldManager, beforeSend };
  }

  private observed(request: ReconcileRequest, kind: KindRef, answer: KubeObject): KubeObject {
    dropManagedFields(answer);
    request.run?.wrote(answer);
    // The write that removes the last finalizer of a terminating object deletes it.
    if (isDeleted(answer)) this.caches.observeDeletion(kind, answer);
    else this.caches.observe(kind, answer);
    return answer;
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
