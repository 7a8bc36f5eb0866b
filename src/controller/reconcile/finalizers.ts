import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { ObjectEvent } from '../../api/events/object-event.js';
import { keyOf } from '../../api/objects/object-key.js';
import { deletionChanged } from '../../api/events/predicate.js';
import { OperatorError } from '../../base/operator-error.js';
import { ConflictError, ForbiddenError, isObjectMissing } from '../../client/api-error.js';
import type { ObjectWriter } from '../write/object-writer.js';
import { readLive } from '../read/read-live.js';
import type { ReconcileClient } from '../run/reconcile-client.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';

const REMOVE_TRIES = 5;

/**
 * Adds and removes a controller's own finalizers.
 *
 * Flow: finalizers are added before the first reconcile of an object. When the object is being deleted, their methods
 * run in the order of the class. When all have succeeded, the finalizers are removed and the server deletes the object.
 * Guarantees: `reconcile` runs only with all finalizers in place. No finalizer is added to an object that is being
 * deleted. Finalizers of other controllers are not changed: each write is conditional on the resourceVersion. Every event
 * that ends the need for a finalizer is handled, also if the predicate of the class drops it. Former finalizers, which an
 * earlier release of the class had, are removed before the first reconcile and on deletion.
 * Assumptions: the methods are idempotent, because all of them run again after a crash or a failed removal.
 * Errors: a failed method keeps the object and is retried with back-off; a deleted object is not an error. Finalizers that
 * the server did not store as they were sent are an error (E_FINALIZERS).
 */
export class Finalizers {
  private readonly reported = new Set<string>();

  constructor(
    private readonly kind: KindRef,
    private readonly names: readonly string[],
    private readonly client: ReconcileClient,
    private readonly writer: ObjectWriter,
    /** Finalizers of earlier releases, which have no method any more. */
    private readonly former: readonly string[] = [],
  ) {}

  /**
   * Reports whether an event ends the need for a finalizer that the object has: its deletion begins, or it leaves the cache
   * because a selector no longer matches it. The predicate of the class must not drop such an event.
   */
  isNeededBy(event: ObjectEvent): boolean {
    if (!this.hasAny(event.object)) return false;
    if (event.type === 'add') return event.object.metadata.deletionTimestamp !== undefined;
    return event.type === 'delete' || deletionChanged(event);
  }

  /** Reports whether the object has a current or a former finalizer of the controller. */
  hasAny({ metadata: { finalizers = [] } }: ReadonlyDeep<KubeObject>): boolean {
    return finalizers.some((name) => this.isOwn(name));
  }

  /**
   * Returns the object with all finalizers in place and without former ones; undefined if it was deleted, and the cache does
   * not show that yet.
   *
   * @throws ConflictError when the cached object is out of date.
   */
  async ensure(
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
  ): Promise<ReadonlyDeep<KubeObject> | undefined> {
    const present = object.metadata.finalizers ?? [];
    const missing = this.names.filter((name) => !present.includes(name));
    const kept = present.filter((name) => !this.former.includes(name));
    const isComplete = missing.length === 0 && kept.length === present.length;
    if (isComplete || object.metadata.deletionTimestamp !== undefined) return object;
    try {
      return await this.write(request, object, [...kept, ...missing]);
    } catch (error) {
      if (isObjectMissing(error)) return undefined;
      if (missing.length > 0 || !(error instanceof ForbiddenError)) throw error;
      this.report(
        request,
        object,
        present.filter((name) => this.former.includes(name)),
      );
      return object;
    }
  }

  /** Returns the controller's finalizers that the object still has. */
  pending({ metadata: { finalizers = [] } }: ReadonlyDeep<KubeObject>): string[] {
    return this.names.filter((name) => finalizers.includes(name));
  }

  /** Removes the controller's finalizers, former ones too; after a conflict, reads the object again and retries. */
  async remove(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>): Promise<void> {
    const { name, namespace, uid } = object.metadata;
    let latest: ReadonlyDeep<KubeObject> | undefined = object;
    for (let tries = 1; latest && latest.metadata.uid === uid && this.hasAny(latest); tries++) {
      if (await this.tryRemove(request, latest, tries === REMOVE_TRIES)) return;
      latest = await readLive(this.client.for(request), this.kind, name, { namespace });
    }
  }

  private async tryRemove(
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
    isLastTry: boolean,
  ): Promise<boolean> {
    const { finalizers = [] } = object.metadata;
    const others = finalizers.filter((finalizer) => !this.isOwn(finalizer));
    try {
      await this.write(request, object, others);
      return true;
    } catch (error) {
      if (isObjectMissing(error)) return true;
      if (error instanceof ConflictError && !isLastTry) return false;
      // The roles of a class without finalizers do not allow it.
      if (this.names.length > 0 || !(error instanceof ForbiddenError)) throw error;
      this.report(
        request,
        object,
        finalizers.filter((finalizer) => this.isOwn(finalizer)),
      );
      return true;
    }
  }

  /**
   * Logs once for each finalizer that the object is kept by one that looks like a finalizer of an earlier release: its domain is
   * the group of the kind, and the class does not declare it.
   */
  reportUndeclared(request: ReconcileRequest, object: ReadonlyDeep<KubeObject>): void {
    const { group } = this.kind;
    const undeclared = object.metadata.finalizers?.filter((name) => !this.isOwn(name) && isRelated(name, group)) ?? [];
    this.report(request, object, undeclared);
  }

  private report({ log }: ReconcileRequest, { metadata }: ReadonlyDeep<KubeObject>, names: readonly string[]): void {
    const unreported = names.filter((name) => !this.reported.has(name));
    if (unreported.length === 0) return;
    for (const name of unreported) this.reported.add(name);
    const rest = metadata.finalizers?.filter((name) => !names.includes(name)) ?? [];
    const place = metadata.namespace === undefined ? '' : ` --namespace ${metadata.namespace}`;
    const patch = JSON.stringify({ metadata: { finalizers: rest } });
    const option = `@Controller({ formerFinalizers: [${unreported.map((name) => `'${name}'`).join(', ')}] })`;
    log.info('The object has finalizers that the class does not declare; it is not deleted before they are removed', {
      finalizers: unreported,
      hint: `if an earlier release added them: ${option} removes them from all objects; from this one: kubectl patch ${resourceName(this.kind)} ${metadata.name}${place} --type merge --patch '${patch}'`,
    });
  }

  private isOwn(name: string): boolean {
    return this.names.includes(name) || this.former.includes(name);
  }

  /** @throws OperatorError if the answer does not have the finalizers, because admission has changed them. */
  private async write(
    request: ReconcileRequest,
    { metadata }: ReadonlyDeep<KubeObject>,
    finalizers: string[],
  ): Promise<KubeObject> {
    const { name, namespace, uid, resourceVersion } = metadata;
    const patch = { metadata: { uid, resourceVersion, finalizers } };
    const answer = await this.writer.patch(request, this.kind, name, patch, { namespace });
    const stored = answer.metadata.finalizers ?? [];
    const isStored = [...this.names, ...this.former].every((own) => finalizers.includes(own) === stored.includes(own));
    if (isStored) return answer;
    throw new OperatorError(
      `${this.kind.kind} ${keyOf(name, namespace)}: the server stored the finalizers [${stored.join(', ')}] instead of [${finalizers.join(', ')}]`,
      { code: 'E_FINALIZERS', hint: 'check admission webhooks and policies that change metadata.finalizers' },
    );
  }
}

/** Reports whether the domain of a finalizer is the group, or one of them contains the other. */
function isRelated(finalizer: string, group: string): boolean {
  const [domain = ''] = finalizer.split('/');
  return domain === group || domain.endsWith(`.${group}`) || group.endsWith(`.${domain}`);
}
