import type { KindRef } from '../api/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../api/kube-object.js';
import { ConflictError, isObjectMissing } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import type { ObjectWriter } from './object-writer.js';
import { readLive } from './read-live.js';
import type { ReconcileRequest } from './reconcile-request.js';

const REMOVE_TRIES = 5;

/**
 * Adds and removes a controller's own finalizers.
 *
 * Flow: finalizers are added before the first reconcile of an object. When the object is being deleted, their methods
 * run in the order of the class. When all have succeeded, the finalizers are removed and the server deletes the object.
 * Guarantees: `reconcile` runs only with all finalizers in place. No finalizer is added to an object that is being
 * deleted. Finalizers of other controllers are not changed: each write is conditional on the resourceVersion.
 * Assumptions: the methods are idempotent, because all of them run again after a crash or a failed removal.
 * Errors: a failed method keeps the object and is retried with back-off; a deleted object is not an error.
 */
export class Finalizers {
  constructor(
    private readonly kind: KindRef,
    private readonly names: readonly string[],
    private readonly client: Client,
    private readonly writer: ObjectWriter,
  ) {}

  /**
   * Returns the object with all finalizers in place; undefined if it was deleted, and the cache does not show that yet.
   *
   * @throws ConflictError when the cached object is out of date.
   */
  async ensure(
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
  ): Promise<ReadonlyDeep<KubeObject> | undefined> {
    const present = object.metadata.finalizers ?? [];
    const missing = this.names.filter((name) => !present.includes(name));
    if (missing.length === 0 || object.metadata.deletionTimestamp !== undefined) return object;
    try {
      return await this.write(request, object, [...present, ...missing]);
    } catch (error) {
      if (isObjectMissing(error)) return undefined;
      throw error;
    }
  }

  /** Returns the controller's finalizers that the object still has. */
  pending({ metadata: { finalizers = [] } }: ReadonlyDeep<KubeObject>): string[] {
    return this.names.filter((name) => finalizers.includes(name));
  }

  /** Removes the controller's finalizers; after a conflict, reads the object again and retries. */
  async remove(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>): Promise<void> {
    const { name, namespace, uid } = object.metadata;
    let latest: ReadonlyDeep<KubeObject> | undefined = object;
    for (let tries = 1; latest && latest.metadata.uid === uid && this.pending(latest).length > 0; tries++) {
      if (await this.tryRemove(request, latest, tries === REMOVE_TRIES)) return;
      latest = await readLive(this.client, this.kind, name, { namespace, signal: request.signal });
    }
  }

  private async tryRemove(
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
    isLastTry: boolean,
  ): Promise<boolean> {
    const others = object.metadata.finalizers?.filter((finalizer) => !this.names.includes(finalizer)) ?? [];
    try {
      await this.write(request, object, others);
      return true;
    } catch (error) {
      if (isObjectMissing(error)) return true;
      if (error instanceof ConflictError && !isLastTry) return false;
      throw error;
    }
  }

  private write(
    request: ReconcileRequest,
    { metadata }: ReadonlyDeep<KubeObject>,
    finalizers: string[],
  ): Promise<KubeObject> {
    const { name, namespace, uid, resourceVersion } = metadata;
    const patch = { metadata: { uid, resourceVersion, finalizers } };
    return this.writer.patch(request, this.kind, name, patch, { namespace });
  }
}
