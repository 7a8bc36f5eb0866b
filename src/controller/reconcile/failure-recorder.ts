import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { publicMessage } from '../../base/thrown-error.js';
import { ConflictError } from '../../client/api-error.js';
import type { RecordEvent } from '../context/context-services.js';
import { isRejectedRequest } from '../run/retry-rules.js';
import type { ReconcileRequest } from '../run/reconcile-request.js';
import type { FailureReason, ReconciledCondition } from '../run/reconciled-condition.js';
import type { StatusWriter } from '../write/status-writer.js';

/** Fewer consecutive failures count as transient. */
const PERSISTENT_ATTEMPTS = 3;
/** From this attempt on the default back-off is longer than a second, so that each attempt may be recorded. */
const SLOW_ATTEMPTS = 9;

/**
 * Makes persistent failures visible on the object, for `kubectl describe`: as a Warning Event, and in the condition
 * `Reconciled` if the class has conditions. Only messages that are written for users are published, see `publicMessage`.
 *
 * A failure is persistent from the third in a row on, or immediately when a retry cannot help: a TerminalError, a
 * request that the API server rejected, or a conflict that counts as a failure because it was repeated. Never rejects;
 * what cannot be recorded is logged at level debug.
 */
export class FailureRecorder {
  constructor(
    private readonly recordEvent: RecordEvent,
    private readonly condition: ReconciledCondition,
    private readonly statusWriter: Pick<StatusWriter, 'write'>,
    /** The attempt after which the object is given up. */
    private readonly maxAttempts = Infinity,
  ) {}

  /** Records the error of an attempt if it is persistent. */
  async attemptFailed(
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
    failure: { readonly type: 'failed' | 'terminal'; readonly error: Error },
  ): Promise<void> {
    const { attempt } = request;
    const isHopeless = isRejectedRequest(failure.error) || failure.error instanceof ConflictError;
    const isGivenUp = failure.type === 'failed' && attempt >= this.maxAttempts;
    const isAtOnce = failure.type === 'terminal' || isHopeless || isGivenUp;
    if (!isAtOnce && attempt !== PERSISTENT_ATTEMPTS && attempt < SLOW_ATTEMPTS) return;
    const isFinalizer = object.metadata.deletionTimestamp !== undefined;
    const reason = isFinalizer ? 'FinalizerFailed' : 'ReconcileFailed';
    await this.record(
      request,
      object,
      reason,
      failure.error,
      isGivenUp ? `${attempt} attempts failed; given up: ` : '',
    );
  }

  async record(
    request: ReconcileRequest,
    object: ReadonlyDeep<KubeObject>,
    reason: FailureReason,
    error: Error,
    prefix = '',
  ): Promise<void> {
    const message = `${prefix}${publicMessage(error)}`;
    try {
      this.recordEvent(object, 'Warning', reason, message);
      if (!this.condition.isSupported) return;
      const { status, metadata } = object as ReadonlyDeep<KubeObject> & { readonly status?: unknown };
      const failed = this.condition.failed(status, reason, message, metadata.generation);
      await this.statusWriter.write(request, { read: object, latest: () => object }, failed);
    } catch (thrown) {
      request.log.debug('The failure could not be recorded in the status', { err: thrown });
    }
  }
}
