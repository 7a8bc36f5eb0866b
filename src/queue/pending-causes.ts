import type { Cause } from '../api/probe.js';

/** Maximum number of causes kept per key. */
const CAUSES_PER_KEY = 8;
/**
 * Maximum number of causes beyond the first of each key, for all keys of a queue together.
 *
 * A cause holds the old and the new state of an object. A queue that is not processed yet, such as that of a replica
 * without the lease, must not keep the whole history of a cluster in memory.
 */
const ADDITIONAL_CAUSES = 1000;

/** The causes of one key, from its first add until it is taken. */
export interface Causes {
  readonly kept: readonly Cause[];
  /** Number of causes that were not kept. */
  readonly omitted: number;
}

interface PendingKey {
  readonly kept: Cause[];
  omitted: number;
}

export const NO_CAUSES: Causes = { kept: [], omitted: 0 };

/** Collects causes by key within a bounded amount of memory. */
export class PendingCauses {
  private additional = 0;

  /** Adds a cause to those of a key, and returns them. A cause that is added twice in a row is kept once. */
  add(present: Causes | undefined, cause: Cause | undefined): Causes {
    if (!cause) return present ?? NO_CAUSES;
    if (!present || present === NO_CAUSES) return { kept: [cause], omitted: 0 };
    if (present.kept.at(-1) === cause) return present;
    const pending = present as PendingKey;
    if (pending.kept.length < CAUSES_PER_KEY && this.additional < ADDITIONAL_CAUSES) {
      pending.kept.push(cause);
      this.additional += 1;
    } else pending.omitted += 1;
    return pending;
  }

  /** Must be called when the key is taken. */
  taken({ kept }: Causes): void {
    if (kept.length > 1) this.additional -= kept.length - 1;
  }
}
