import { randomUUID } from 'node:crypto';
import { splitKey, type ObjectKey } from '../api/object-key.js';
import type { Logger } from '../base/logger.js';
import type { ReconcileRun } from './reconcile-run.js';

/**
 * One run for one key: who it is in the logs, and whether it may go on.
 *
 * Log, id and signal are made when first asked for, so that a reconcile that needs none of them pays for none.
 */
export class ReconcileRequest {
  /** Set once the run has outlived its time; what it still returns is ignored. */
  isTimedOut = false;
  /** Number of requests that this run has sent to the API server. */
  sentRequests = 0;

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
  ) {}

  get log(): Logger {
    this.lines ??= this.controllerLog.child({ ...splitKey(this.key), reconcileID: this.run?.id ?? randomUUID() });
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

  /** Tells the run to end; only the first reason counts. */
  abort(reason: Error): void {
    if (this.abortReason) return;
    this.abortReason = reason;
    this.abortController?.abort(reason);
  }

  throwIfAborted(): void {
    if (this.abortReason) throw this.abortReason;
  }
}
