import { isDeleted } from '../api/is-deleted.js';
import type { KindRef } from '../api/kind-ref.js';
import type { Desired, KubeObject } from '../api/kube-object.js';
import type { WriteOp } from '../api/probe.js';
import type { Client } from '../client/client.js';
import type { DeleteOptions, PatchOptions, WriteOptions } from '../client/client-options.js';
import { dropManagedFields } from '../client/drop-managed-fields.js';
import type { CachedKinds } from './cached-kinds.js';
import type { ReconcileRequest } from './reconcile-request.js';
import type { WriteFence } from './write-fence.js';

/** The object of a write; the name is missing where the server makes it. */
interface ObjectName {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/**
 * Sends every write of a controller.
 *
 * Guarantees: nothing is sent once the request is aborted or the fence rejects writes, even if the write has waited for
 * a connection or for a retry; an abort cancels a write in flight; the cache holds the result of a write, a deletion included, before the write returns.
 */
export class ObjectWriter {
  constructor(
    private readonly client: Pick<Client, 'apply' | 'create' | 'update' | 'patch' | 'delete'>,
    private readonly caches: Pick<CachedKinds, 'observe' | 'observeDeletion' | 'find'>,
    private readonly fence: WriteFence,
    readonly fieldManager: string,
  ) {}

  async apply(
    request: ReconcileRequest,
    kind: KindRef,
    object: Desired<KubeObject>,
    options: { readonly force: boolean },
  ): Promise<KubeObject> {
    return this.write(request, 'apply', kind, object.metadata, () =>
      this.client.apply(kind, object, { ...options, ...this.permit(request) }),
    );
  }

  async create(request: ReconcileRequest, kind: KindRef, object: Desired<KubeObject>): Promise<KubeObject> {
    return this.write(request, 'create', kind, object.metadata, () =>
      this.client.create(kind, object, this.permit(request)),
    );
  }

  async update(request: ReconcileRequest, kind: KindRef, object: KubeObject): Promise<KubeObject> {
    return this.write(request, 'update', kind, object.metadata, () =>
      this.client.update(kind, object, this.permit(request)),
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
    object: KubeObject,
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
    { run }: ReconcileRequest,
    action: WriteOp['do'],
    kind: KindRef,
    { name = '', namespace }: ObjectName,
    send: () => Promise<T>,
  ): Promise<T> {
    if (!run) return send();
    return run.write(action, kind, { name, namespace, before: this.caches.find(kind, name, namespace) }, send);
  }

  private permit(request: ReconcileRequest): Pick<WriteOptions, 'signal' | 'fieldManager' | 'beforeSend'> {
    request.throwIfAborted();
    this.fence();
    request.sentRequests += 1;
    return { signal: request.signal, fieldManager: this.fieldManager, beforeSend: this.fence };
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
