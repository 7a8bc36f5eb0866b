import type { ObjectKey } from '../api/object-key.js';
import type { Cancel, Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { OperatorError } from '../base/operator-error.js';
import type { RateLimitingQueue } from '../queue/rate-limiting-queue.js';
import type { End } from '../api/probe.js';
import type { ControllerMetrics, ReconcileResult } from './controller-metrics.js';
import type { Outcome } from './outcome.js';
import { ReconcileRequest } from './reconcile-request.js';
import type { RunRecorder } from './run-recorder.js';

export interface WorkersOptions {
  readonly queue: RateLimitingQueue;
  /** Never rejects. */
  readonly reconcile: (request: ReconcileRequest) => Promise<Outcome>;
  readonly maxConcurrentReconciles: number;
  readonly reconcileTimeoutMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: ControllerMetrics | undefined;
  /** Records each reconcile; undefined: none is recorded. */
  readonly recorder?: RunRecorder | undefined;
  /** The next step to take after an error, for the log. */
  readonly hintFor?: (error: Error) => string | undefined;
}

/** Reconciles started without letting the event loop turn would hold up the lease and the probes. */
const SLICE_MS = 10;

const RESULTS: Readonly<Record<Outcome['type'], ReconcileResult>> = {
  done: 'success',
  requeueAfter: 'requeue_after',
  requeue: 'requeue',
  aborted: 'requeue',
  failed: 'error',
  terminal: 'error',
};

/**
 * Takes keys from a queue and reconciles them, a bounded number at a time.
 *
 * Guarantees: one reconcile per key at a time; a failed key is tried again with back-off while others go on.
 * A reconcile that outlives its time is aborted and gives its place to another key, but its own key stays taken until
 * it settles, so one that never does blocks that key, and that key only.
 */
export class Workers {
  private readonly running = new Set<ReconcileRequest>();
  private readonly idleListeners: (() => void)[] = [];
  private freePlaces: number;
  private isStarted = false;
  private sliceStartMs: number | undefined;

  constructor(private readonly options: WorkersOptions) {
    this.freePlaces = options.maxConcurrentReconciles;
    options.queue.onReady(() => {
      this.pump();
    });
  }

  get runningKeys(): ObjectKey[] {
    return [...this.running].map(({ key }) => key);
  }

  /** Does nothing once stopped. */
  start(): void {
    this.isStarted = !this.options.queue.isShuttingDown;
    this.pump();
  }

  /** Takes no more keys; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.isStarted = false;
    this.options.queue.shutDown();
    if (this.running.size === 0) return;
    await new Promise<void>((resolve) => {
      this.idleListeners.push(resolve);
    });
  }

  /** Tells every running reconcile to end. */
  abort(reason: Error): void {
    for (const request of this.running) request.abort(reason);
  }

  private pump(): void {
    const { queue } = this.options;
    while (this.isStarted && this.freePlaces > 0 && queue.length > 0 && this.isWithinSlice()) {
      const key = queue.take();
      if (key !== undefined) this.run(key);
    }
  }

  /** A no-op reconcile takes no turn of the event loop, so thousands of them would starve timers and sockets. */
  private isWithinSlice(): boolean {
    const now = this.options.clock.monotonic();
    if (this.sliceStartMs === undefined) {
      this.sliceStartMs = now;
      setImmediate(() => {
        this.sliceStartMs = undefined;
        this.pump();
      });
    }
    return now - this.sliceStartMs < SLICE_MS;
  }

  private run(key: ObjectKey): void {
    const { clock, logger, metrics, queue, reconcile, reconcileTimeoutMs, recorder } = this.options;
    const run = recorder?.begin(key, queue.numRequeues(key) + 1, queue.causesOf(key));
    const request = new ReconcileRequest(key, logger, run);
    const startMs = metrics ? clock.monotonic() : 0;
    this.freePlaces -= 1;
    this.running.add(request);
    metrics?.activeWorkers(1);
    const cancel =
      reconcileTimeoutMs === undefined ? undefined : clock.schedule(reconcileTimeoutMs, () => this.timeOut(request));
    void reconcile(request).then((outcome) => {
      this.settle(request, outcome, cancel, startMs);
    });
  }

  private timeOut(request: ReconcileRequest): void {
    const { reconcileTimeoutMs = 0, metrics } = this.options;
    request.isTimedOut = true;
    request.abort(
      new OperatorError(`the reconcile took longer than reconcileTimeoutMs (${reconcileTimeoutMs})`, {
        code: 'E_RECONCILE_TIMEOUT',
        hint: 'pass ctx.signal to what it waits for',
      }),
    );
    request.log.error('Reconcile timed out and was aborted; its object waits until it ends', { reconcileTimeoutMs });
    metrics?.failed('timeout');
    this.freePlaces += 1;
    this.pump();
  }

  private settle(request: ReconcileRequest, outcome: Outcome, cancel: Cancel | undefined, startMs: number): void {
    const { clock, metrics } = this.options;
    cancel?.();
    this.running.delete(request);
    if (!request.isTimedOut) this.freePlaces += 1;
    const nextMs = this.conclude(request, request.isTimedOut ? { type: 'aborted' } : outcome);
    this.release(request, outcome, nextMs);
    if (metrics) {
      metrics.activeWorkers(-1);
      metrics.reconciled(request.isTimedOut ? 'error' : RESULTS[outcome.type], (clock.monotonic() - startMs) / 1000);
    }
    if (this.isStarted) this.pump();
    else if (this.running.size === 0) for (const listener of this.idleListeners.splice(0)) listener();
  }

  /** Ends the record of the run, and lets the key be taken again. */
  private release({ key, run, isTimedOut }: ReconcileRequest, outcome: Outcome, nextMs: number | undefined): void {
    const { queue, recorder } = this.options;
    const holdMs = run && recorder ? recorder.end(run, endOf(isTimedOut, outcome, nextMs)) : 0;
    if (holdMs > 0) queue.doneAfter(key, holdMs);
    else queue.done(key);
  }

  /** Returns the time until the next run, if there is to be one. */
  private conclude(request: ReconcileRequest, outcome: Outcome): number | undefined {
    const { key } = request;
    const { queue } = this.options;
    switch (outcome.type) {
      case 'done':
        queue.forget(key);
        return undefined;
      case 'requeueAfter': {
        const { delayMs } = outcome;
        queue.forget(key);
        queue.addAfter(key, delayMs, { type: 'timer', delayMs });
        return delayMs;
      }
      case 'requeue':
        request.log.debug('Reconcile is tried again', { why: outcome.why });
        return queue.addRateLimited(key, outcome.reason);
      case 'aborted':
        return queue.addRateLimited(key, 'aborted');
      case 'failed': {
        const delayMs = queue.addRateLimited(key, 'error');
        this.report(request.log, outcome.error);
        return delayMs;
      }
      case 'terminal':
        queue.forget(key);
        this.report(request.log, outcome.error);
        this.options.metrics?.failed('terminal');
        return undefined;
    }
  }

  private report(log: Logger, error: Error): void {
    const { metrics, hintFor } = this.options;
    const hint = hintFor?.(error) ?? (error instanceof OperatorError ? error.hint : undefined);
    log.error('Reconciler error', { err: error, ...(hint !== undefined && { hint }) });
    metrics?.failed('error');
    if (error instanceof TypeError || error instanceof ReferenceError) metrics?.failed('panic');
  }
}

function endOf(isTimedOut: boolean, outcome: Outcome, nextMs: number | undefined): Omit<End, 'ms'> {
  return {
    outcome: isTimedOut ? 'timeout' : outcome.type,
    ...('error' in outcome && { error: outcome.error }),
    ...(nextMs !== undefined && { nextMs }),
  };
}
