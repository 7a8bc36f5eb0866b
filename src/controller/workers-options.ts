import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { RateLimitingQueue } from '../queue/rate-limiting-queue.js';
import type { RateLimitSettings } from '../resource/kinds/rate-limit.js';
import type { ControllerMetrics } from './controller-metrics.js';
import type { Outcome } from './run/outcome.js';
import type { ReconcileRequest } from './run/reconcile-request.js';
import type { HotLoopGuard } from './hot-loops/hot-loop-guard.js';
import type { RunRecorder } from './run/run-recorder.js';
import type { ObjectGate } from './sources/object-gate.js';

/** The settings that can be changed later. */
export interface WorkerSettings {
  readonly maxConcurrentReconciles: number;
  readonly reconcileTimeoutMs?: number | undefined;
  /** Failures in a row after which a key is given up. Default: no limit. */
  readonly maxAttempts?: number | undefined;
  readonly rateLimit?: RateLimitSettings | undefined;
}

export interface WorkersOptions extends WorkerSettings {
  readonly queue: RateLimitingQueue;
  /** Keys of other objects are dropped. Default: all objects are reconciled. */
  readonly gate?: ObjectGate | undefined;
  readonly reconcile: (request: ReconcileRequest) => Promise<Outcome>;
  /** Called when a reconcile has timed out, with a request that is not aborted. */
  readonly onTimeout?: (request: ReconcileRequest, error: Error) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: ControllerMetrics | undefined;
  /** Records each reconcile; undefined: none is recorded. */
  readonly recorder?: RunRecorder | undefined;
  /** Throttles the recorded reconciles; undefined: none is throttled. */
  readonly loops?: HotLoopGuard | undefined;
  /** The next step to take after an error, for the log. */
  readonly hintFor?: (error: Error) => string | undefined;
}
