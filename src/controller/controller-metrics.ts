/** How a reconcile ended, as the `result` label of controller-runtime has it. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** What one controller tells about its reconciles. */
export interface ControllerMetrics {
  /** A reconcile has begun (1) or ended (-1). */
  activeWorkers(change: 1 | -1): void;
  reconciled(result: ReconcileResult, seconds: number): void;
  /** Counted beside the result `error`. A panic is what Go would panic at: a TypeError, a ReferenceError. */
  failed(cause: 'error' | 'terminal' | 'panic' | 'timeout'): void;
}
