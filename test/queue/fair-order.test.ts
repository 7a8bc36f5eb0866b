import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { splitKey } from '../../src/api/objects/object-key.js';
import { isHigher, PRIORITIES, type Priority } from '../../src/api/events/priority.js';
import { FairOrder, HIGHER_IN_A_ROW } from '../../src/queue/fair-order.js';
import { Workqueue } from '../../src/queue/workqueue.js';

const NAMESPACES = ['a', 'b', 'c'];

/** A ready key of the model, with the keys taken since it became ready. */
interface Ready {
  readonly key: string;
  readonly namespace: string;
  readonly priority: Priority;
  /** Its place among the ready keys of its namespace and priority, from 1. */
  readonly place: number;
  taken: number;
  /** The number of keys of its priority taken, by namespace. */
  readonly takenByNamespace: Map<string, number>;
}

/** A queue beside the state that it must have; each take is checked against the guarantees. */
class CheckedQueue {
  private readonly queue = new Workqueue({ order: new FairOrder() });
  private readonly ready: Ready[] = [];
  readonly inWork = new Map<string, Priority | undefined>();
  /** Keys of each priority taken in a row, while one of a lower priority was ready. */
  private readonly row = { high: 0, normal: 0, low: 0 };

  add(key: string, priority: Priority): void {
    this.queue.add(key, { priority });
    const present = this.ready.find((entry) => entry.key === key);
    if (this.inWork.has(key)) {
      const present = this.inWork.get(key);
      if (present === undefined || isHigher(priority, present)) this.inWork.set(key, priority);
    } else if (!present) this.push(key, priority);
    else if (isHigher(priority, present.priority)) {
      this.ready.splice(this.ready.indexOf(present), 1);
      this.push(key, priority);
    }
  }

  take(): boolean {
    const key = this.queue.take();
    if (key === undefined) {
      expect(this.ready).toEqual([]);
      return false;
    }
    expect(this.inWork.has(key)).toBe(false);
    const entry = this.ready.find((ready) => ready.key === key);
    if (!entry) throw new Error(`${key} is taken but was not added`);
    expect(this.queue.priorityOf(key)).toBe(entry.priority);
    this.checkPriority(entry);
    this.checkBounds(entry);
    this.ready.splice(this.ready.indexOf(entry), 1);
    this.inWork.set(key, undefined);
    return true;
  }

  done(key: string): void {
    const addedAgain = this.inWork.get(key);
    this.inWork.delete(key);
    this.queue.done(key);
    if (addedAgain) this.push(key, addedAgain);
  }

  private push(key: string, priority: Priority): void {
    const { namespace } = splitKey(key);
    const before = this.ready.filter((entry) => entry.namespace === namespace && entry.priority === priority);
    const place = before.length + 1;
    this.ready.push({ key, namespace, priority, place, taken: 0, takenByNamespace: new Map() });
  }

  private checkPriority({ namespace, priority, key }: Ready): void {
    for (const each of PRIORITIES) {
      const isPassed = isHigher(each, priority) && this.ready.some((entry) => entry.priority === each);
      if (isPassed) expect(this.row[each]).toBe(HIGHER_IN_A_ROW);
      const isLowerReady = this.ready.some((entry) => isHigher(each, entry.priority));
      if (each === priority && isLowerReady) this.row[each] += 1;
      else if (!isHigher(priority, each)) this.row[each] = 0;
      expect(this.row[each]).toBeLessThanOrEqual(HIGHER_IN_A_ROW);
    }
    expect(this.ready.find((entry) => entry.namespace === namespace && entry.priority === priority)?.key).toBe(key);
  }

  private checkBounds({ namespace, priority }: Ready): void {
    for (const entry of this.ready) {
      entry.taken += 1;
      const most = entry.place * NAMESPACES.length;
      const lowest = most * (HIGHER_IN_A_ROW + 1);
      const highest = most + Math.floor(most / HIGHER_IN_A_ROW) + 1;
      const bound = { high: highest, normal: highest * (HIGHER_IN_A_ROW + 1), low: lowest * (HIGHER_IN_A_ROW + 1) };
      expect(entry.taken).toBeLessThanOrEqual(bound[entry.priority]);
      if (entry.priority !== priority || entry.namespace === namespace) continue;
      const ofNamespace = (entry.takenByNamespace.get(namespace) ?? 0) + 1;
      entry.takenByNamespace.set(namespace, ofNamespace);
      expect(ofNamespace).toBeLessThanOrEqual(entry.place);
    }
  }
}

describe('a queue with FairOrder', () => {
  test('FairOrder loses no key, reconciles none twice at a time and keeps its bounds for any order of calls', () => {
    const key = fc
      .record({ namespace: fc.constantFrom('a', 'a', 'a', 'b', 'c'), name: fc.nat({ max: 9 }) })
      .map(({ namespace, name }) => `${namespace}/${String(name)}`);
    const priority = fc.constantFrom<Priority>('high', 'normal', 'low');
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ call: fc.constant('add' as const), key, priority }) },
      { weight: 2, arbitrary: fc.record({ call: fc.constant('take' as const) }) },
      { weight: 2, arbitrary: fc.record({ call: fc.constant('done' as const), index: fc.nat({ max: 3 }) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
        const queue = new CheckedQueue();
        for (const each of steps) {
          if (each.call === 'add') queue.add(each.key, each.priority);
          else if (each.call === 'take') queue.take();
          else {
            const inWork = [...queue.inWork.keys()][each.index];
            if (inWork !== undefined) queue.done(inWork);
          }
        }
        for (const inWork of [...queue.inWork.keys()]) queue.done(inWork);
        while (queue.take());
      }),
    );
  });

  const orderOf = (...added: (readonly [string, Priority])[]): string[] => {
    const queue = new Workqueue({ order: new FairOrder() });
    for (const [key, priority] of added) queue.add(key, { priority });
    const keys: string[] = [];
    for (let key = queue.take(); key !== undefined; key = queue.take()) keys.push(key);
    return keys;
  };

  test('FairOrder takes a key added with normal priority before the keys of low priority', () => {
    expect(orderOf(['a/1', 'low'], ['a/2', 'low'], ['a/3', 'normal'])).toEqual(['a/3', 'a/1', 'a/2']);
  });

  test('FairOrder takes a key of low priority that is added again with normal priority once, before the others', () => {
    expect(orderOf(['a/1', 'low'], ['a/2', 'low'], ['a/2', 'normal'])).toEqual(['a/2', 'a/1']);
  });

  test('FairOrder does not lower the priority of a key that is added again with low priority', () => {
    expect(orderOf(['a/1', 'low'], ['a/2', 'normal'], ['a/2', 'low'])).toEqual(['a/2', 'a/1']);
  });

  test('FairOrder takes a key of low priority after eight keys of normal priority', () => {
    const changes = Array.from({ length: 20 }, (_, index) => [`a/${String(index)}`, 'normal'] as const);
    const keys = orderOf(['a/old', 'low'], ...changes);
    expect(keys.indexOf('a/old')).toBe(HIGHER_IN_A_ROW);
  });

  test('FairOrder takes keys of high priority first, and after eight of them one of a lower priority', () => {
    const urgent = Array.from({ length: 20 }, (_, index) => [`a/${String(index)}`, 'high'] as const);
    const keys = orderOf(['a/old', 'low'], ['a/changed', 'normal'], ...urgent);
    expect([keys.indexOf('a/changed'), keys.indexOf('a/old')]).toEqual([HIGHER_IN_A_ROW, 2 * HIGHER_IN_A_ROW + 1]);
  });

  test('FairOrder takes the only key of a namespace second, behind one of a thousand keys of another namespace', () => {
    const busy = Array.from({ length: 1000 }, (_, index) => [`busy/${String(index)}`, 'normal'] as const);
    expect(orderOf(...busy, ['quiet/1', 'normal']).indexOf('quiet/1')).toBe(1);
  });

  test('FairOrder takes keys without a namespace in the order in which they were added', () => {
    expect(orderOf(['c', 'normal'], ['a', 'normal'], ['b', 'normal'])).toEqual(['c', 'a', 'b']);
  });
});
