import { resourceName, type KindRef } from '../api/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/kube-object.js';
import { stringifyJson } from '../base/json.js';
import { ConflictError, NotFoundError } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import { LruMap } from './lru-map.js';
import { createMergePatch } from './create-merge-patch.js';
import type { ObjectWriter } from './object-writer.js';
import { readLive } from './read-live.js';
import type { ReconcileRequest } from './reconcile-request.js';

/** Patches without effect that are remembered, one per object. */
const REMEMBERED = 1000;

/**
 * Writes the status that a reconcile left, once, if it changed.
 *
 * Guarantees: only members that differ from the state that the reconcile read are sent, so members of other writers
 * stay; the patch applies only to the same uid; a patch that the server answered without a change, because its schema
 * prunes the member, is not repeated until the object changes. An object that no longer exists, or that another object
 * of the same name has replaced, is not an error; any other conflict is thrown.
 */
export class StatusWriter {
  /** By uid: the resource version and the patch, as JSON, that left it unchanged. */
  private readonly ineffective = new LruMap<{ readonly resourceVersion: string; readonly patch: string }>(REMEMBERED);

  constructor(
    private readonly kind: KindRef,
    private readonly client: Client,
    private readonly writer: ObjectWriter,
  ) {}

  async write(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>, status: unknown): Promise<void> {
    const { uid = '', resourceVersion = '' } = object.metadata;
    const change = createMergePatch((object as { status?: unknown }).status ?? {}, status ?? {});
    if (change === undefined) return;
    if (this.isIneffective(object, change)) return;
    const answer = await this.send(request, object, change);
    if (answer?.metadata.resourceVersion !== resourceVersion) return;
    this.ineffective.set(uid, { resourceVersion, patch: stringifyJson(change) });
  }

  private isIneffective({ metadata }: ReadonlyDeep<KubeObject>, change: unknown): boolean {
    const last = this.ineffective.get(metadata.uid ?? '');
    return (
      last !== undefined && last.resourceVersion === metadata.resourceVersion && last.patch === stringifyJson(change)
    );
  }

  /** Returns undefined when the object was deleted or replaced. */
  private async send(
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
    status: unknown,
  ): Promise<KubeObject | undefined> {
    const { name, namespace, uid } = object.metadata;
    try {
      const patch = { metadata: { uid }, status };
      return await this.writer.patch(request, this.kind, name, patch, { namespace, subresource: 'status' });
    } catch (error) {
      if (!(error instanceof NotFoundError) && !(error instanceof ConflictError)) throw error;
      if (await this.isReplaced(request, object)) return undefined;
      throw error instanceof NotFoundError ? this.unserved(error, object) : error;
    }
  }

  /**
   * A conflict with the uid of the patch looks like any other conflict, for example one that a webhook returned, and a
   * subresource that is not served like an object that does not exist.
   */
  private async isReplaced(request: ReconcileRequest, { metadata }: ReadonlyDeep<KubeObject>): Promise<boolean> {
    const { name, namespace, uid } = metadata;
    const live = await readLive(this.client, this.kind, name, { namespace, signal: request.signal });
    return live?.metadata.uid !== uid;
  }

  private unserved(
    { status, reason, request, details }: NotFoundError,
    { metadata }: ReadonlyDeep<KubeObject>,
  ): NotFoundError {
    return new NotFoundError(
      `${this.kind.kind} ${metadata.name} exists, but the server serves no subresource status of it`,
      {
        status,
        reason,
        request,
        details,
        hint: `apply the generated CRD ${resourceName(this.kind)}: the installed one has no subresources.status`,
      },
    );
  }
}
