/** The result of a reconcile. Returning nothing means done until the next event. */
export interface Result {
  /** Run again after this many milliseconds, whatever happens. Must be finite and not negative. */
  readonly requeueAfterMs?: number;
}
