import type { ObjectKey } from '../api/objects/object-key.js';
import { PRIORITIES, type Priority } from '../api/events/priority.js';
import type { KeyOrder } from './key-order.js';
import { NamespaceTurns } from './namespace-turns.js';

/** Keys of a priority that are taken in a row while keys of a lower priority wait. */
export const HIGHER_IN_A_ROW = 8;

/**
 * Takes keys of a higher priority before those of a lower one, and lets neither a priority nor a namespace starve.
 *
 * - Ageing: after 8 keys of a priority in a row, a key of a lower priority is taken. It is counted in keys and not in
 *   seconds, because the keys of a long initial list would otherwise all age at the same time and be taken before every
 *   change.
 * - Fairness: the namespaces take turns within a priority, so that one busy namespace at most doubles the number of keys
 *   taken before those of another one.
 * - Within a namespace and a priority, keys are taken in the order of their adds.
 *
 * The nth key of its namespace and priority, with keys of m namespaces waiting and none of high priority, is therefore taken
 * as one of the next 9 × n × m keys if its priority is low, and of the next n × m + n × m / 8 + 1 keys if it is normal; with
 * keys of high priority, of 9 times as many, and a key of high priority as one of the latter number. A key whose priority is
 * raised becomes the last of its new priority and namespace.
 */
export class FairOrder implements KeyOrder {
  private readonly turns = { high: new NamespaceTurns(), normal: new NamespaceTurns(), low: new NamespaceTurns() };
  /** Keys that were taken of each priority since the last one of a lower priority, while one waited. */
  private readonly passes = { high: 0, normal: 0, low: 0 };

  get length(): number {
    const { high, normal, low } = this.turns;
    return high.length + normal.length + low.length;
  }

  push(key: ObjectKey, priority: Priority): void {
    this.turns[priority].push(key);
  }

  raise(key: ObjectKey, from: Priority, to: Priority): void {
    this.turns[from].remove(key);
    this.turns[to].push(key);
  }

  shift(): ObjectKey | undefined {
    let lower = this.length;
    for (const priority of PRIORITIES) {
      const { length } = this.turns[priority];
      lower -= length;
      const isNext = length > 0 && (lower === 0 || this.passes[priority] < HIGHER_IN_A_ROW);
      this.passes[priority] = isNext && lower > 0 ? this.passes[priority] + 1 : 0;
      if (isNext) return this.turns[priority].shift();
    }
    return undefined;
  }

  clear(): void {
    for (const priority of PRIORITIES) this.turns[priority].clear();
  }
}
