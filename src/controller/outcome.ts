/** Every way in which a reconcile can end. */
export type Outcome =
  | { readonly type: 'done' }
  /** Again after `delayMs`, which is above 0. */
  | { readonly type: 'requeueAfter'; readonly delayMs: number }
  /** Again at the pace of the rate limiter, though nothing failed. */
  | { readonly type: 'requeue'; readonly reason: 'conflict' | 'requested'; readonly why: string }
  /** Aborted from outside: shutdown, lost lease. */
  | { readonly type: 'aborted' }
  | { readonly type: 'failed'; readonly error: Error }
  /** A failure that a retry cannot mend. */
  | { readonly type: 'terminal'; readonly error: Error };
