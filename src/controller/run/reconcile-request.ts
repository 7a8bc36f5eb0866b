import { randomId } from '../../base/random.js';
import type { KubeObject } from '../../api/objects/kube-object.js';
import { splitKey, type ObjectKey } from '../../api/objects/object-key.js';
import type { Cancel } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { ApiClient } from '../../client/api-client.js';
import type { ReconcileRun } from './reconcile-run.js';

/**
 * One reconcile of one key, with its logger and its abort signal.
 *
 * Logger, ID and signal are created on first use, because most reconciles use none of them.
 */
export class ReconcileRequest {
  /** Set when the reconcile has timed out; its result is ignored. */
  isTimedOut = false;
  /** Cancels the timer of the time-out; undefined without one. */
  cancelTimeout: Cancel | undefined;
  /** Called with the answer to each write of a status subresource. */
  onStatusWrite: ((answer: KubeObject) => void) | undefined;
  /** The client that ReconcileClient has created for this reconcile. */
  client: ApiClient | undefined;
  private sent = 0;

  private abortReason: Error | undefined;
  private abortController: AbortController | undefined;
  private lines: Logger | undefined;

  constructor(
    readonly key: ObjectKey,
    private readonly controllerLog: Logger,
    /** The record of the run; undefined when nothing reads it. */
    readonly run?: ReconcileRun,
    /** 1 for the first attempt after a success, counting failures only. */
    readonly attempt = 1,
    /** The number of conflicts in a row before it. */
    readonly conflicts = 0,
  ) {}

  get log(): Logger {
    this.lines ??= this.controllerLog.child({
      ...splitKey(this.key),
      reconcileID: this.run?.id ?? randomId('reconcile'),
    });
    return this.lines;
  }

  get signal(): AbortSignal {
    if (!this.abortController) {
      this.abortController = new AbortController();
      if (this.abortReason) this.abortController.abort(this.abortReason);
    }
    return this.abortController.signal;
  }

  get isAborted(): boolean {
    return this.abortReason !== undefined;
  }

  /** The number of calls of the API server that this reconcile has made, and of watches that it waits for. */
  get sentRequests(): number {
    return this.sent;
  }

  /** Must be called before a call of the API server, by ReconcileClient, and by a watch that the reconcile waits for. */
  requestSent(): void {
    this.sent += 1;
  }

  /** Aborts the signal. Later calls have no effect. */
  abort(reason: Error): void {
    if (this.abortReason) return;
    this.abortReason = reason;
    this.abortController?.abort(reason);
  }

  throwIfAborted(): void {
    if (this.abortReason) throw this.abortReason;
  }
}
