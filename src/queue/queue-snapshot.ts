import type { ObjectKey } from '../api/objects/object-key.js';
import type { Causes } from './pending-causes.js';

/** A key of a queue at one moment. */
export interface QueuedKey {
  readonly key: ObjectKey;
  /** The time for which the key has been waiting, in work or delayed. */
  readonly ageMs: number;
  readonly causes: Causes;
}

/** A key that becomes ready later. */
export interface DelayedKey extends QueuedKey {
  readonly dueInMs: number;
  /** True for a key with reconciles delayed by a rate limit, or because they trigger each other; its causes are those since then. */
  readonly isHeld: boolean;
}

/** The keys in one state: the number of all, and the oldest of them. */
export interface KeysInState<K extends QueuedKey = QueuedKey> {
  readonly count: number;
  readonly oldest: readonly K[];
}

/** The keys of a queue at one moment. A key in work that was added again is both waiting and processing. */
export interface QueueSnapshot {
  readonly waiting: KeysInState;
  readonly processing: KeysInState;
  readonly delayed: KeysInState<DelayedKey>;
}
