import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import type { Clock } from '../../base/clock.js';
import { deepEqual } from '../../base/deep-equal.js';
import { stringifyJson } from '../../base/json.js';
import { ConflictError, NotFoundError } from '../../client/api-error.js';
import { LruMap } from '../run/lru-map.js';
import { createMergePatch } from './create-merge-patch.js';
import { mergeStatus, replacesList } from './merge-status.js';
import type { ObjectWriter } from './object-writer.js';
import { readLive } from '../read/read-live.js';
import type { ReconcileClient } from '../run/reconcile-client.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';

/** Patches without effect that are remembered, one per object. */
const REMEMBERED = 1000;
/** How often a patch without effect is repeated at most: its cause, such as an old CRD or a policy, may have ended. */
const INEFFECTIVE_RETRY_MS = 60_000;
/** How often a list is merged into a state that has changed meanwhile. */
const LIST_TRIES = 5;

/** A reconciled object in two states. */
export interface StatusBase {
  /** The state that the status to write was derived from. */
  readonly read: ReadonlyDeep<KubeObject>;
  /** Returns the newest known state of the same object; called only if the status has changed. */
  readonly latest: () => ReadonlyDeep<KubeObject>;
}

/**
 * Writes the status that a reconcile left, once, if it changed.
 *
 * Flow: the changes since the state that the reconcile read are merged into the latest known state, and what differs from
 * it is sent. A patch that replaces a list has the resourceVersion; after a conflict, the changes are merged into the
 * state of the server.
 * Guarantees: members and conditions of other writers stay; the patch applies only to the same uid; a patch that the
 * server answered without a change, because its schema prunes the member, is repeated by later reconciles once a minute at
 * most until the object changes, and logged once. An object that no longer exists, or that another object of the same name
 * has replaced, is not an error.
 * Errors: any other conflict is thrown, also that of a list, other than conditions, that another writer has changed.
 */
export class StatusWriter {
  /** By uid. */
  private readonly ineffective = new LruMap<Ineffective>(REMEMBERED);
  /** The members that were logged because the server did not store them. */
  private readonly reported = new LruMap<true>(REMEMBERED);

  constructor(
    private readonly kind: KindRef,
    private readonly client: ReconcileClient,
    private readonly writer: ObjectWriter,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  async write(request: ReconcileRequest, { read, latest }: StatusBase, status: unknown): Promise<void> {
    if (isUnchanged(read, status)) return;
    let present: ReadonlyDeep<KubeObject> | undefined = latest();
    for (let tries = 1; present; tries++) {
      const patch = statusPatch(read, present, status);
      if (patch === undefined || this.isIneffective(present, patch.change)) return;
      try {
        const { name, namespace, uid } = present.metadata;
        const body = { metadata: { uid, ...patch.precondition }, status: patch.change };
        const stored = await this.writer.patch(request, this.kind, name, body, { namespace, subresource: 'status' });
        this.checkEffect(request, present, patch.change, stored);
        return;
      } catch (error) {
        if (!(error instanceof NotFoundError) && !(error instanceof ConflictError)) throw error;
        present = await this.stateAfter(error, request, present, patch.isRepeatable && tries < LIST_TRIES);
      }
    }
  }

  /** Returns the state to try again with; undefined when the object no longer exists. */
  private async stateAfter(
    error: NotFoundError | ConflictError,
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
    isRepeatable: boolean,
  ): Promise<KubeObject | undefined> {
    const live = await this.existing(request, object);
    if (!live) return undefined;
    if (error instanceof NotFoundError) throw this.unserved(error, live);
    if (!isRepeatable) throw error;
    return live;
  }

  private isIneffective({ metadata }: ReadonlyDeep<KubeObject>, change: unknown): boolean {
    const last = this.ineffective.get(metadata.uid ?? '');
    if (last?.resourceVersion !== metadata.resourceVersion || last?.patch !== stringifyJson(change)) return false;
    return this.clock.monotonic() < last.retryAtMs;
  }

  /** Remembers and reports a patch that has left the object unchanged. */
  private checkEffect(
    request: ReconcileRequest,
    { metadata: { uid = '', resourceVersion = '' } }: ReadonlyDeep<KubeObject>,
    change: unknown,
    stored: KubeObject,
  ): void {
    if (stored.metadata.resourceVersion !== resourceVersion) return;
    const retryAtMs = this.clock.monotonic() + INEFFECTIVE_RETRY_MS;
    this.ineffective.set(uid, { resourceVersion, patch: stringifyJson(change), retryAtMs });
    this.report(
      request,
      Object.keys(change as object).map((member) => `status.${member}`),
    );
  }

  private report({ log }: ReconcileRequest, members: readonly string[]): void {
    const fields = members.join(', ');
    if (this.reported.get(fields)) return;
    this.reported.set(fields, true);
    log.warn('The server did not store the status as it was sent', {
      fields,
      hint: `apply the generated CRD ${resourceName(this.kind)}, and check admission webhooks and policies for its status`,
    });
  }

  /**
   * Returns the object of the server; undefined when it was deleted or replaced. A conflict with the uid of the patch looks
   * like any other conflict, for example one that a webhook returned, and a subresource that is not served like an object
   * that does not exist.
   */
  private async existing(
    request: ReconcileRequest,
    { metadata }: ReadonlyDeep<KubeObject>,
  ): Promise<KubeObject | undefined> {
    const { name, namespace, uid } = metadata;
    const live = await readLive(this.client.for(request), this.kind, name, { namespace });
    return live?.metadata.uid === uid ? live : undefined;
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

/** A patch that left an object unchanged. */
interface Ineffective {
  readonly resourceVersion: string;
  readonly patch: string;
  readonly retryAtMs: number;
}

interface StatusPatch {
  readonly change: unknown;
  /** The version of a patch that replaces a list, so that the server rejects a list that another writer has changed. */
  readonly precondition: { readonly resourceVersion?: string };
  /** True if a conflict can be resolved by another merge. */
  readonly isRepeatable: boolean;
}

/** Returns undefined if the present object has the status already. */
function statusPatch(
  read: ReadonlyDeep<KubeObject>,
  present: ReadonlyDeep<KubeObject>,
  status: unknown,
): StatusPatch | undefined {
  const conflicts: string[] = [];
  const current = statusOf(present);
  const change = createMergePatch(current, mergeStatus(statusOf(read), status ?? {}, current, conflicts));
  if (change === undefined) return undefined;
  const isList = replacesList(change, current);
  const { resourceVersion = '' } = (conflicts.length > 0 ? read : present).metadata;
  return { change, precondition: isList ? { resourceVersion } : {}, isRepeatable: isList && conflicts.length === 0 };
}

function isUnchanged(read: ReadonlyDeep<KubeObject>, status: unknown): boolean {
  return deepEqual(statusOf(read), status ?? {});
}

/** A missing status is an empty one. */
function statusOf(object: ReadonlyDeep<KubeObject>): unknown {
  return (object as { readonly status?: unknown }).status ?? {};
}
