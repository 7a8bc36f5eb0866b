import type { KindRef } from '../api/kind-ref.js';
import type { KubeObject } from '../api/kube-object.js';
import { ConflictError, NotFoundError } from '../client/api-error.js';
import { mergePatch } from './merge-patch.js';
import type { ObjectWriter } from './object-writer.js';
import type { ReconcileRequest } from './reconcile-request.js';

/**
 * Writes the status that a reconcile left, once, if it changed.
 *
 * Guarantees: only members that differ from the state the reconcile saw are sent, so what others write stays; the patch
 * holds only for the same uid; an object that is gone, or that was replaced by another, is no error.
 */
export class StatusWriter {
  constructor(
    private readonly kind: KindRef,
    private readonly writer: ObjectWriter,
  ) {}

  async write(request: ReconcileRequest, object: KubeObject, status: unknown): Promise<void> {
    const { name, namespace, uid } = object.metadata;
    const change = mergePatch((object as { status?: unknown }).status ?? {}, status ?? {});
    if (change === undefined) return;
    try {
      const patch = { metadata: { uid }, status: change };
      await this.writer.patch(request, this.kind, name, patch, { namespace, subresource: 'status' });
    } catch (error) {
      if (error instanceof NotFoundError) return;
      // The only precondition is the uid: the object of that name is another one by now, and has its own event.
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}
