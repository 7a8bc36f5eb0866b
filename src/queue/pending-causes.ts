import type { Cause } from '../api/reconcile/reconcile-observer.js';

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

export const NO_CAUSES: Causes = { kept: [], omitted: 0 };

/** Collects causes by key within a bounded amount of memory. */
export class PendingCauses {
  private additional = 0;
  /** The causes of the last key with one cause, which the keys of an initial list share. */
  private single: Causes = NO_CAUSES;

  /** Returns the causes of a key with one more. A cause that is added twice in a row is kept once. */
  add(present: Causes | undefined, cause: Cause | undefined): Causes {
    if (!cause) return present ?? NO_CAUSES;
    if (!present || present === NO_CAUSES) return this.only(cause);
    const { kept, omitted } = present;
    if (kept.at(-1) === cause) return present;
    if (kept.length >= CAUSES_PER_KEY || this.additional >= ADDITIONAL_CAUSES) return { kept, omitted: omitted + 1 };
    this.additional += 1;
    return { kept: [...kept, cause], omitted };
  }

  /** Must be called when the key is taken. */
  taken({ kept }: Causes): void {
    if (kept.length > 1) this.additional -= kept.length - 1;
  }

  private only(cause: Cause): Causes {
    if (this.single.kept[0] !== cause) this.single = { kept: [cause], omitted: 0 };
    return this.single;
  }
}
