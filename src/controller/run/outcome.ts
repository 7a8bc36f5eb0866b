import type { Priority } from '../../api/events/priority.js';

/** The outcome of a reconcile. */
export type Outcome =
  | { readonly type: 'done' }
  /** Reconciled again after `delayMs`, which is greater than 0. */
  | { readonly type: 'requeueAfter'; readonly delayMs: number; readonly priority?: Priority | undefined }
  /** Reconciled again with the delay of the rate limiter, without a failure. */
  | {
      readonly type: 'requeue';
      readonly reason: 'conflict' | 'requested' | 'terminating';
      readonly why: string;
      readonly priority?: Priority | undefined;
    }
  /** Aborted by a shutdown or a lost lease. */
  | { readonly type: 'aborted' }
  | { readonly type: 'failed'; readonly error: Error }
  /** A failure that is not retried. */
  | { readonly type: 'terminal'; readonly error: Error };
