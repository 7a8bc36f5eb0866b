import type { Priority } from '../api/events/priority.js';
import type { Duration } from '../base/duration.js';

/** The result of a reconcile. Returning nothing means done until the next event. */
export interface Result {
  /** Run again after this time, such as `30s`, whatever happens. 0 means as a retry, with back-off. */
  readonly requeueAfter?: Duration;
  /** The priority of that run. Default: that of this one. */
  readonly priority?: Priority;
}
