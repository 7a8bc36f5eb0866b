import type { ObjectKey } from '../api/objects/object-key.js';
import type { Priority } from '../api/events/priority.js';
import type { Cause } from '../api/reconcile/reconcile-observer.js';
import type { Causes } from './pending-causes.js';

export interface AddOptions {
  /** Kept until the key is taken. */
  readonly cause?: Cause | undefined;
  /** Default `normal`. Of several adds before the key is taken, the highest applies. */
  readonly priority?: Priority | undefined;
}

/**
 * A queue of keys, as the workers of a controller use it.
 *
 * Life cycle of a key: `add`, `take`, work, `done`. Guarantees:
 * - A key added several times before it is taken is taken once.
 * - A key is never in work twice at the same time: a key added while in work becomes ready when it is done, exactly
 *   once.
 * - After shutDown, no keys are added and none can be taken. (client-go lets its workers drain the queue; an operator
 *   that stops must not begin new work, and its keys are added again at the next start.)
 */
export interface Queue {
  /** The number of keys that can be taken now. */
  readonly length: number;
  readonly isShuttingDown: boolean;
  add(key: ObjectKey, options?: AddOptions): void;
  /** Takes the next key, which is in work until `done`; undefined when no key is ready. */
  take(): ObjectKey | undefined;
  /** Returns the causes for which a key in work was taken. */
  causesOf(key: ObjectKey): Causes;
  /** Returns the priority with which a key in work was taken. */
  priorityOf(key: ObjectKey): Priority;
  /** Ends the work on a key; it becomes ready again if it was added in the meantime. */
  done(key: ObjectKey): void;
  /**
   * Calls `listener`, which replaces an earlier one, when keys become ready in an empty queue.
   *
   * Called after the running code has ended, once for all keys it added, so that the worker gets a burst of events
   * together.
   */
  onReady(listener: () => void): void;
  shutDown(): void;
}
