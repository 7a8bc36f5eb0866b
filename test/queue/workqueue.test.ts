import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { Workqueue } from '../../src/queue/workqueue.js';

function takeAll(queue: Workqueue): string[] {
  const keys: string[] = [];
  for (let key = queue.take(); key !== undefined; key = queue.take()) keys.push(key);
  return keys;
}

describe('Workqueue', () => {
  test('a workqueue returns keys in the order of their adds', () => {
    const queue = new Workqueue();
    for (const key of ['b', 'a', 'c']) queue.add(key);
    expect(takeAll(queue)).toEqual(['b', 'a', 'c']);
  });

  test('a workqueue is empty when nothing was added', () => {
    expect(new Workqueue().take()).toBeUndefined();
  });

  test('a workqueue returns a key that was added many times once, at its first position', () => {
    const queue = new Workqueue();
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
    expect(queue.length).toBe(2);
    expect(takeAll(queue)).toEqual(['a', 'b']);
  });

  test('a workqueue does not return a key that is being processed', () => {
    const queue = new Workqueue();
    queue.add('a');
    queue.take();
    queue.add('a');
    expect(queue.take()).toBeUndefined();
    expect(queue.length).toBe(0);
  });

  test('a key added many times while it is processed is handed out once more', () => {
    const queue = new Workqueue();
    queue.add('a');
    queue.take();
    for (let i = 0; i < 5; i++) queue.add('a');
    queue.done('a');
    expect(takeAll(queue)).toEqual(['a']);
    queue.done('a');
    expect(queue.take()).toBeUndefined();
  });

  test('a key that is added while it is processed comes after those that were ready before it was done', () => {
    const queue = new Workqueue();
    queue.add('a');
    queue.take();
    queue.add('a');
    queue.add('b');
    queue.done('a');
    expect(takeAll(queue)).toEqual(['b', 'a']);
  });

  test('done of a key that is not being processed is ignored', () => {
    const queue = new Workqueue();
    queue.add('a');
    queue.done('a');
    expect(takeAll(queue)).toEqual(['a']);
  });

  test('after shutDown the queue accepts and hands out no keys', () => {
    const queue = new Workqueue();
    queue.add('a');
    queue.shutDown();
    queue.add('b');
    expect(queue.isShuttingDown).toBe(true);
    expect(queue.take()).toBeUndefined();
  });

  test('a key that was added while it is processed is not ready after shutDown', () => {
    const queue = new Workqueue();
    queue.add('a');
    queue.take();
    queue.add('a');
    queue.shutDown();
    queue.done('a');
    expect(queue.length).toBe(0);
  });

  test('a burst of keys causes one notification, after it', async () => {
    const queue = new Workqueue();
    const listener = jest.fn();
    queue.onReady(listener);
    for (const key of ['a', 'b', 'c']) queue.add(key);
    expect(listener).not.toHaveBeenCalled();
    await Promise.resolve();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test('a key that becomes ready when it is done causes a notification', async () => {
    const queue = new Workqueue();
    queue.add('a');
    queue.take();
    queue.add('a');
    const listener = jest.fn();
    queue.onReady(listener);
    queue.done('a');
    await Promise.resolve();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test('a listener that is added late is notified of ready keys', async () => {
    const queue = new Workqueue();
    queue.add('a');
    await Promise.resolve();
    const listener = jest.fn();
    queue.onReady(listener);
    await Promise.resolve();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test('no notification is sent for keys that were taken in the meantime', async () => {
    const queue = new Workqueue();
    const listener = jest.fn();
    queue.onReady(listener);
    queue.add('a');
    queue.take();
    await Promise.resolve();
    expect(listener).not.toHaveBeenCalled();
  });

  test('a workqueue keeps its order over thousands of keys', () => {
    const queue = new Workqueue();
    const keys = Array.from({ length: 5000 }, (_, index) => `key-${index}`);
    const taken: (string | undefined)[] = [];
    for (const key of keys.slice(0, 3000)) queue.add(key);
    for (let i = 0; i < 2000; i++) taken.push(queue.take());
    for (const key of keys.slice(3000)) queue.add(key);
    expect([...taken, ...takeAll(queue)]).toEqual(keys);
  });

  test('no add is lost and no key is handed out twice at a time for any order of calls', () => {
    const key = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ call: fc.constant('add' as const), key }),
      fc.record({ call: fc.constant('done' as const), key }),
      fc.record({ call: fc.constant('take' as const), key }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new Workqueue();
        const inWork = new Set<string>();
        const owed = new Set<string>();
        const take = (): boolean => {
          const taken = queue.take();
          if (taken === undefined) return false;
          expect(inWork.has(taken)).toBe(false);
          expect(owed.delete(taken)).toBe(true);
          inWork.add(taken);
          return true;
        };
        const done = (name: string): void => {
          inWork.delete(name);
          queue.done(name);
        };
        for (const { call, key: name } of steps) {
          if (call === 'add') {
            queue.add(name);
            owed.add(name);
          } else if (call === 'done') done(name);
          else take();
        }
        for (const name of [...inWork]) done(name);
        while (take());
        expect([...owed]).toEqual([]);
      }),
    );
  });
});
