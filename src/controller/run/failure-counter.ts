import type { ObjectKey } from '../../api/objects/object-key.js';

/** The failure of one attempt. */
export interface CountedFailure {
  /** The number of consecutive failures, this one included. */
  readonly attempt: number;
  /** True if the previous failure had the same message. */
  readonly isRepeated: boolean;
}

/** Counts the consecutive failures of each key. Uses memory only for keys that are failing. */
export class FailureCounter {
  private readonly failures = new Map<ObjectKey, { readonly count: number; readonly message: string }>();

  failed(key: ObjectKey, { message }: Error): CountedFailure {
    const last = this.failures.get(key);
    const attempt = (last?.count ?? 0) + 1;
    this.failures.set(key, { count: attempt, message });
    return { attempt, isRepeated: last?.message === message };
  }

  succeeded(key: ObjectKey): void {
    this.failures.delete(key);
  }

  /** The number of consecutive failures so far. */
  count(key: ObjectKey): number {
    return this.failures.get(key)?.count ?? 0;
  }
}
