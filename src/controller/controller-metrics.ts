import type { HotLoopReport } from '../api/reconcile/reconcile-observer.js';

/** The result of a reconcile: a value of the label `result` of controller-runtime's metrics. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** Problems of reconciles that only the console looks for. */
export const FINDING_RULES = ['same-error', 'idle-wakes', 'stuck', 'starving', 'blind-watch'] as const;

export type FindingRule = (typeof FINDING_RULES)[number];

/** The metrics of one controller. */
export interface ControllerMetrics {
  /** Called when a reconcile begins (1) or ends (-1). */
  activeWorkers(change: 1 | -1): void;
  reconciled(result: ReconcileResult, seconds: number): void;
  /** Counted in addition to the result `error`. A TypeError or ReferenceError counts as a panic. */
  failed(cause: 'error' | 'terminal' | 'panic' | 'timeout'): void;
  /** Called once for each hot loop that is found. */
  hotLoop(cause: HotLoopReport['cause']): void;
  /** Called once for each other problem that an observer has found. */
  finding(rule: FindingRule): void;
  /** Sets the number of paused objects. */
  paused(objects: number): void;
}
