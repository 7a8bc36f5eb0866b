import type { ObjectKey } from '../api/object-key.js';
import type { KeyOrder } from './key-order.js';
import { NamespaceTurns } from './namespace-turns.js';
import type { Priority } from './queue.js';

/** Keys of normal priority that are taken in a row while keys of low priority wait. */
export const NORMAL_IN_A_ROW = 8;

/**
 * Takes keys of normal priority before those of low priority, and lets neither a priority nor a namespace starve.
 *
 * - Ageing: after 8 keys of normal priority in a row, the oldest key of low priority is taken. It is counted in keys
 *   and not in seconds, because the keys of a long initial list would otherwise all age at the same time and be taken
 *   before every change.
 * - Fairness: the namespaces take turns within a priority, so that one busy namespace at most doubles the number of keys
 *   taken before those of another one.
 * - Within a namespace and a priority, keys are taken in the order of their adds.
 *
 * The nth key of its namespace and priority, with keys of m namespaces waiting, is therefore taken as one of the next
 * 9 × n × m keys if its priority is low, and of the next n × m + n × m / 8 + 1 keys if it is normal. A key whose
 * priority is raised becomes the last of the normal ones of its namespace.
 */
export class FairOrder implements KeyOrder {
  private readonly normal = new NamespaceTurns();
  private readonly low = new NamespaceTurns();
  /** Keys of normal priority that were taken since the last one of low priority, while one waited. */
  private passes = 0;

  get length(): number {
    return this.normal.length + this.low.length;
  }

  push(key: ObjectKey, priority: Priority): void {
    this[priority].push(key);
  }

  raise(key: ObjectKey): void {
    this.low.remove(key);
    this.normal.push(key);
  }

  shift(): ObjectKey | undefined {
    const isLowNext = this.low.length > 0 && (this.normal.length === 0 || this.passes >= NORMAL_IN_A_ROW);
    this.passes = isLowNext || this.low.length === 0 ? 0 : this.passes + 1;
    return (isLowNext ? this.low : this.normal).shift();
  }

  clear(): void {
    this.normal.clear();
    this.low.clear();
  }
}
