import type { ObjectKey } from '../../api/objects/object-key.js';

/** The work on objects, which a replica starts and stops as objects move. */
export interface ShardWork {
  /** The objects that are being worked on. */
  readonly busyKeys: Iterable<ObjectKey>;
  /** Begins the work on all existing objects that `isGained` accepts. */
  readonly gained: (isGained: (key: ObjectKey) => boolean) => void;
  /** Ends the work on all objects that this process no longer owns; running reconciles may finish. */
  readonly lost: () => void;
  /** Aborts running reconciles and tasks. */
  readonly abort: (reason: Error) => void;
  /** Continues after `abort` with the objects that this process still owns: nothing has moved in between. */
  readonly resumed: () => void;
}

const nothing = (): void => undefined;

/** The work of a replica that has not started. */
export const NO_WORK: ShardWork = {
  busyKeys: [],
  gained: nothing,
  lost: nothing,
  abort: nothing,
  resumed: nothing,
};

/** Returns the work of both; their objects may have the same keys. */
export function joinShardWork(first: ShardWork, second: ShardWork): ShardWork {
  return {
    get busyKeys() {
      return [...first.busyKeys, ...second.busyKeys];
    },
    gained: (isGained) => {
      first.gained(isGained);
      second.gained(isGained);
    },
    lost: () => {
      first.lost();
      second.lost();
    },
    abort: (reason) => {
      first.abort(reason);
      second.abort(reason);
    },
    resumed: () => {
      first.resumed();
      second.resumed();
    },
  };
}
