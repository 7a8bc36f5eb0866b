import type { KindRef } from '../../api/kinds/kind-ref.js';
import { ApiError } from '../../client/api-error.js';
import type { ApiClient } from '../../client/api-client.js';
import { ConnectionError, type ConnectionFailure } from '../../client/connection-error.js';
import type { CachedKinds } from '../read/cached-kinds.js';
import { readLive } from '../read/read-live.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';

/** The object of a write; the name is missing where the server makes it. */
export interface ObjectName {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** Undefined if the write is for whatever object has the name. */
  readonly uid?: string | undefined;
}

/** A server that cannot be reached any more is left to the retry of the reconcile. */
const LIMITS = { timeout: '5s', retries: 2 };
/** The connection was lost, or there was no or no valid response: the request may have been processed. */
const AFTER_SENDING: ReadonlySet<ConnectionFailure> = new Set(['timeout', 'reset', 'protocol']);

/**
 * Reads the objects of writes whose outcome is unknown, so that the cache shows what the server has stored.
 *
 * Without that, the next reconcile would read the state before the write until its event arrives: it would create a second
 * child, or delete another one in place of the one that is deleted already.
 */
export class UnknownOutcomes {
  constructor(
    private readonly client: Pick<ApiClient, 'get'>,
    private readonly caches: Pick<CachedKinds, 'observe' | 'observeDeletion' | 'find'>,
  ) {}

  /**
   * Called with the error of a write that was permitted. If the server may have processed the write nevertheless, the cache
   * then holds the object or its absence; unless that cannot be read either. That includes a write of a reconcile that has
   * timed out, because the next reconcile of the object follows; after other aborts, none does. Never rejects.
   */
  async readIfUnknown(error: unknown, request: ReconcileRequest, kind: KindRef, target: ObjectName): Promise<void> {
    const mayBeStored = request.isAborted ? request.isTimedOut : isUnknown(error);
    if (target.name && mayBeStored) await this.observe(request, kind, target).catch(() => undefined);
  }

  private async observe(request: ReconcileRequest, kind: KindRef, target: ObjectName): Promise<void> {
    const { name = '', namespace } = target;
    // Before the read, because a new object of this name may be cached during it.
    const { uid = this.caches.find(kind, name, namespace)?.metadata.uid } = target;
    const signal = request.isTimedOut ? new AbortController().signal : request.signal;
    const live = await readLive(this.client, kind, name, { namespace, signal, ...LIMITS });
    const isDeleted = uid !== undefined && live?.metadata.uid !== uid;
    if (isDeleted) this.caches.observeDeletion(kind, { metadata: { name, uid, ...(namespace && { namespace }) } });
    if (live) this.caches.observe(kind, live);
  }
}

/** A gateway between this process and the server, or the server itself, may report that it did not wait any longer. */
function isUnknown(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 && error.status !== 503;
  return error instanceof ConnectionError && AFTER_SENDING.has(error.reason);
}
