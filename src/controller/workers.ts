import { inLaterTurn } from '../base/turns.js';
import type { ObjectKey } from '../api/objects/object-key.js';
import type { Priority } from '../api/events/priority.js';
import { OperatorError } from '../base/operator-error.js';
import { thrownError } from '../base/thrown-error.js';
import { ConflictError } from '../client/api-error.js';
import type { End } from '../api/reconcile/reconcile-observer.js';
import type { ReconcileResult } from './controller-metrics.js';
import { FailureCounter } from './run/failure-counter.js';
import type { Outcome } from './run/outcome.js';
import { ReconcileRequest } from './run/reconcile-request.js';
import { RunRates } from './run/run-rates.js';
import { Stepping } from './stepping.js';
import type { WorkerSettings, WorkersOptions } from './workers-options.js';
import { REJECTED_RETRY_MS, shortestRetryMs } from './run/retry-rules.js';

/** Longest time for starting reconciles before the event loop runs timers and I/O, such as the lease and probes. */
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
 * Guarantees: one reconcile per key at a time; a failed key is retried with back-off while other keys are reconciled.
 * A reconcile that times out is aborted and frees its slot. Its key is not taken again before it settles, so a
 * reconcile that never settles blocks only its own key.
 */
export class Workers {
  private readonly running = new Set<ReconcileRequest>();
  private readonly failures = new FailureCounter();
  /** The consecutive conflicts of each key. */
  private readonly conflicts = new Map<ObjectKey, number>();
  private readonly waiting = new Set<{ readonly left: Set<ReconcileRequest>; readonly onSettled: () => void }>();
  private readonly rates: RunRates;
  readonly stepping: Stepping;
  private availableSlots: number;
  private settings: WorkerSettings;
  private isStarted = false;
  private sliceStartMs: number | undefined;

  constructor(private readonly options: WorkersOptions) {
    const { maxConcurrentReconciles, reconcileTimeoutMs } = options;
    this.settings = { maxConcurrentReconciles, reconcileTimeoutMs };
    this.availableSlots = maxConcurrentReconciles;
    this.rates = new RunRates(options.clock, () => {
      this.pump();
    });
    this.rates.configure(options.rateLimit);
    this.stepping = new Stepping(() => {
      this.pump();
    }, options.logger);
    options.queue.onReady(() => {
      this.pump();
    });
  }

  get runningKeys(): ObjectKey[] {
    return [...this.running].map(({ key }) => key);
  }

  /** Starts taking keys. Has no effect after `stop`. */
  start(): void {
    this.isStarted = !this.options.queue.isShuttingDown;
    this.pump();
  }

  /** Changes the settings of later reconciles. */
  configure(settings: WorkerSettings): void {
    this.availableSlots += settings.maxConcurrentReconciles - this.settings.maxConcurrentReconciles;
    this.settings = settings;
    this.rates.configure(settings.rateLimit);
    this.pump();
  }

  /** Resolves when the reconciles that run now have ended. */
  async settled(): Promise<void> {
    const left = new Set(this.running);
    if (left.size > 0) await new Promise<void>((onSettled) => this.waiting.add({ left, onSettled }));
  }

  /** Takes the keys that have waited while the gate was closed. */
  resume(): void {
    this.pump();
  }

  /** Stops taking keys; resolves when the running reconciles have ended. */
  async stop(): Promise<void> {
    this.isStarted = false;
    this.options.queue.shutDown();
    this.rates.stop();
    this.cancelTimeouts();
    await this.settled();
  }

  /** Aborts the signal of every running reconcile. */
  abort(reason: Error): void {
    for (const request of this.running) request.abort(reason);
    this.cancelTimeouts();
  }

  /** After the stop, a reconcile that ignores its abort must not keep the process running until its time-out. */
  private cancelTimeouts(): void {
    if (this.isStarted) return;
    for (const request of this.running) if (request.isAborted) request.cancelTimeout?.();
  }

  private pump(): void {
    const { queue, gate } = this.options;
    while (this.mayTake() && queue.length > 0) {
      if (!this.isWithinSlice() || !this.rates.mayBegin()) return;
      const key = queue.take();
      if (key === undefined) continue;
      if (gate?.owns(key) === false) this.drop(key);
      else this.run(key);
    }
  }

  private mayTake(): boolean {
    const mayBegin = this.stepping.mayBegin && this.options.gate?.isOpen !== false;
    return this.isStarted && this.availableSlots > 0 && mayBegin;
  }

  /** A no-op reconcile does not yield to the event loop, so thousands of them would starve timers and sockets. */
  private isWithinSlice(): boolean {
    const now = this.options.clock.monotonic();
    if (this.sliceStartMs === undefined) {
      this.sliceStartMs = now;
      inLaterTurn('', () => {
        this.sliceStartMs = undefined;
        this.pump();
      });
    }
    return now - this.sliceStartMs < SLICE_MS;
  }

  private run(key: ObjectKey): void {
    const { clock, logger, metrics, queue, reconcile, recorder } = this.options;
    const { reconcileTimeoutMs } = this.settings;
    const run = recorder?.begin(key, queue.numRequeues(key) + 1, queue.causesOf(key));
    const request = new ReconcileRequest(key, logger, run, this.failures.count(key) + 1, this.conflicts.get(key));
    const startMs = metrics ? clock.monotonic() : 0;
    this.rates.began(key);
    this.availableSlots -= 1;
    this.stepping.began();
    this.running.add(request);
    metrics?.activeWorkers(1);
    if (reconcileTimeoutMs !== undefined)
      request.cancelTimeout = clock.schedule(reconcileTimeoutMs, () => this.timeOut(request));
    const settle = (outcome: Outcome): void => {
      this.settle(request, outcome, startMs);
    };
    const running = run && recorder ? recorder.within(run, () => reconcile(request)) : reconcile(request);
    void running.then(settle, (thrown: unknown) => {
      settle({ type: 'failed', error: thrownError(thrown) });
    });
  }

  /** Forgets a key that another process reconciles now. */
  private drop(key: ObjectKey): void {
    this.options.queue.forget(key);
    this.failures.succeeded(key);
    this.conflicts.delete(key);
    this.options.queue.done(key);
  }

  private timeOut(request: ReconcileRequest): void {
    const { logger, metrics, onTimeout } = this.options;
    const { reconcileTimeoutMs = 0 } = this.settings;
    const error = new OperatorError(`reconcile did not finish within ${reconcileTimeoutMs} ms`, {
      code: 'E_RECONCILE_TIMEOUT',
      hint: 'pass ctx.signal to the calls that it waits for, or increase reconcileTimeout of @Controller',
    });
    request.isTimedOut = true;
    request.abort(error);
    request.log.error('Reconcile timed out and was aborted; the object is not reconciled again before it returns', {
      ...this.failures.failed(request.key, error),
      reconcileTimeoutMs,
      hint: error.hint,
    });
    onTimeout?.(new ReconcileRequest(request.key, logger), error);
    metrics?.failed('error');
    metrics?.failed('timeout');
    metrics?.reconciled('error', reconcileTimeoutMs / 1000); // it may never return
    this.availableSlots += 1;
    this.pump();
  }

  private settle(request: ReconcileRequest, outcome: Outcome, startMs: number): void {
    const { clock, metrics } = this.options;
    request.cancelTimeout?.();
    this.running.delete(request);
    if (!request.isTimedOut) this.availableSlots += 1;
    let nextMs: number | undefined;
    try {
      nextMs = this.applyOutcome(request, request.isTimedOut ? { type: 'aborted' } : outcome);
    } finally {
      this.release(request, outcome, nextMs);
      if (metrics) {
        metrics.activeWorkers(-1);
        if (!request.isTimedOut) metrics.reconciled(RESULTS[outcome.type], (clock.monotonic() - startMs) / 1000);
      }
      this.notifySettled(request);
      if (this.isStarted) this.pump();
    }
  }

  private notifySettled(request: ReconcileRequest): void {
    for (const waiting of this.waiting) {
      waiting.left.delete(request);
      if (waiting.left.size === 0 && this.waiting.delete(waiting)) waiting.onSettled();
    }
  }

  /** Ends the record of the run and releases the key, later if it is in a hot loop or has reached its rate limit. */
  private release({ key, run, isTimedOut }: ReconcileRequest, outcome: Outcome, nextMs: number | undefined): void {
    const { queue, recorder, loops } = this.options;
    if (run) recorder?.end(run, endOf(isTimedOut, outcome, nextMs));
    const holdMs = Math.max((run && loops?.holdAfter(run)) ?? 0, this.rates.holdMs(key));
    if (holdMs > 0) queue.doneAfter(key, holdMs);
    else queue.done(key);
  }

  /** Returns the time until the next run, if there is to be one. */
  private applyOutcome(request: ReconcileRequest, outcome: Outcome): number | undefined {
    const { key } = request;
    const { queue } = this.options;
    const priority = queue.priorityOf(key);
    this.countConflict(key, outcome);
    switch (outcome.type) {
      case 'done':
        queue.forget(key);
        this.failures.succeeded(key);
        return undefined;
      case 'requeueAfter': {
        const { delayMs, priority: requested = priority } = outcome;
        queue.forget(key);
        this.failures.succeeded(key);
        queue.addAfter(key, delayMs, { cause: { type: 'timer', delayMs }, priority: requested });
        return delayMs;
      }
      case 'requeue':
        return this.requeue(request, outcome, outcome.priority ?? priority);
      case 'aborted':
        return queue.addRateLimited(key, { reason: 'aborted', priority });
      case 'failed':
        return this.retry(request, outcome.error, priority);
      case 'terminal':
        queue.forget(key);
        this.report(request, outcome.error);
        this.options.metrics?.failed('terminal');
        return undefined;
    }
  }

  private requeue(
    request: ReconcileRequest,
    outcome: Extract<Outcome, { type: 'requeue' }>,
    priority: Priority,
  ): number {
    const { reason, why } = outcome;
    if (reason === 'requested') this.failures.succeeded(request.key);
    const retry = reason === 'terminating' ? ({ reason: 'error', minDelayMs: REJECTED_RETRY_MS } as const) : { reason };
    const delayMs = this.options.queue.addRateLimited(request.key, { ...retry, priority });
    request.log.debug('Reconcile is retried', { why });
    return delayMs;
  }

  private retry(request: ReconcileRequest, error: Error, priority: Priority): number | undefined {
    const { queue, maxAttempts = Infinity } = this.options;
    if (request.attempt >= maxAttempts) {
      this.giveUp(request, error);
      return undefined;
    }
    const delayMs = queue.addRateLimited(request.key, {
      reason: 'error',
      minDelayMs: shortestRetryMs(error),
      priority,
    });
    this.report(request, error, delayMs);
    return delayMs;
  }

  /** A later change of the object is a new beginning. */
  private giveUp(request: ReconcileRequest, error: Error): void {
    const { queue, metrics } = this.options;
    queue.forget(request.key);
    this.report(request, error);
    this.failures.succeeded(request.key);
    metrics?.failed('terminal');
    request.log.error('Given up until the object changes', {
      attempts: request.attempt,
      hint: 'see the errors before; kindwright reconcile requests another attempt',
    });
  }

  private countConflict(key: ObjectKey, outcome: Outcome): void {
    if (outcome.type === 'aborted') return;
    if (isConflict(outcome)) this.conflicts.set(key, (this.conflicts.get(key) ?? 0) + 1);
    else this.conflicts.delete(key);
  }

  private report({ key, log }: ReconcileRequest, error: Error, delayMs?: number): void {
    const { metrics, hintFor } = this.options;
    const { attempt, isRepeated } = this.failures.failed(key, error);
    const hint = hintFor?.(error) ?? (error instanceof OperatorError ? error.hint : undefined);
    log.error('Reconciler error', {
      attempt,
      ...(delayMs !== undefined && { nextRetry: durationText(delayMs) }),
      ...(isRepeated && { isRepeated }),
      err: error,
      ...(hint !== undefined && { hint }),
    });
    metrics?.failed('error');
    if (isProgrammingError(error)) metrics?.failed('panic');
  }
}

function isConflict(outcome: Outcome): boolean {
  if (outcome.type === 'requeue') return outcome.reason === 'conflict';
  return outcome.type === 'failed' && outcome.error instanceof ConflictError;
}

function isProgrammingError(error: Error): boolean {
  return error instanceof TypeError || error instanceof ReferenceError;
}

function durationText(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
}

function endOf(isTimedOut: boolean, outcome: Outcome, nextMs: number | undefined): Omit<End, 'ms'> {
  return {
    outcome: isTimedOut ? 'timeout' : outcome.type,
    ...('error' in outcome && { error: outcome.error }),
    ...(nextMs !== undefined && { nextMs }),
  };
}
