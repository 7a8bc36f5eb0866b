import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../src/api/kube-object.js';
import { objectKey } from '../../src/api/object-key.js';
import { ListedObjects } from '../../src/cache/listed-objects.js';
import { Store } from '../../src/cache/store.js';
import { describeEvent, mapOf, widget } from './objects.js';

type Begin = Partial<{ isInitial: boolean; inFull: boolean }>;

function begin(stored: readonly KubeObject[], { isInitial = false, inFull = false }: Begin = {}) {
  const store = new Store();
  for (const object of stored) store.set(objectKey(object), object);
  const lookedUp: string[] = [];
  const get = store.get.bind(store);
  store.get = (key) => {
    lookedUp.push(key);
    return get(key);
  };
  return { store, list: new ListedObjects(store, isInitial, inFull), lookedUp };
}

/** An object of one of 12 names in one of 3 states: another version, or another uid. */
const object = fc
  .record({ name: fc.constantFrom(...'abcdefghijkl'), state: fc.constantFrom('1', '2', 'another') })
  .map(({ name, state }) =>
    state === 'another' ? widget(name, 3, { uid: `another ${name}` }) : widget(name, Number(state)),
  );
const objects = fc.uniqueArray(object, { selector: objectKey });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'receive' as const }) },
  fc.record({ do: fc.constant('receive again' as const), object }),
  fc.record({ do: fc.constant('delete from the list' as const), object }),
  fc.record({ do: fc.constant('write' as const), object }),
  fc.record({ do: fc.constant('delete' as const), object }),
);

describe('ListedObjects', () => {
  test('the changes lead from the store to the list, in any order of both, while both change', () => {
    fc.assert(
      fc.property(objects, objects, fc.array(step, { maxLength: 30 }), (stored, listed, steps) => {
        const { store, list } = begin(stored);
        const expected = new Map<string, KubeObject>();
        const receive = (received: KubeObject | undefined): void => {
          if (!received) return;
          list.add(received);
          expected.set(objectKey(received), received);
        };
        const rest = listed.values();
        for (const each of steps) {
          if (each.do === 'receive') {
            receive(rest.next().value);
            continue;
          }
          const key = objectKey(each.object);
          if (each.do === 'receive again') receive(each.object);
          else if (each.do === 'delete from the list') {
            list.remove(key);
            expected.delete(key);
          } else {
            list.touch(key);
            if (each.do === 'write') store.set(key, each.object);
            else store.delete(key);
          }
        }
        for (const left of rest) receive(left);
        const replayed = new Map(store.entries());
        const changed = new Set<string>();
        for (const { type, object: changedTo } of list.finish()) {
          const key = objectKey(changedTo);
          expect(replayed.has(key)).toBe(type !== 'add');
          expect(changed.has(key) && type !== 'add').toBe(false);
          changed.add(key);
          if (type === 'delete') expect(replayed.get(key)).toBe(changedTo);
          if (type === 'delete') replayed.delete(key);
          else replayed.set(key, changedTo);
        }
        expect(replayed).toEqual(expected);
        expect(list.byKey).toEqual(expected);
        for (const [key, kept] of list.byKey) if (!changed.has(key)) expect(kept).toBe(store.get(key));
      }),
    );
  });

  test('a list in the order of the store needs a look-up only where they differ', () => {
    const { list, lookedUp } = begin([1, 2, 3, 4].map((at) => widget(`w${at}`, at)));
    for (const listed of [widget('w2', 2), widget('w4', 5), widget('w5', 6)]) list.add(listed);
    expect(lookedUp).toEqual(['ns/w2', 'ns/w4', 'ns/w5']);
    expect([...list.finish()].map(describeEvent)).toEqual(['delete w1@1', 'delete w3@3', 'update w4@4→5', 'add w5@6']);
  });

  test('a list in the reverse order of the store changes nothing', () => {
    const stored = Array.from({ length: 1000 }, (_, at) => widget(`w${at}`, at));
    const { list } = begin(stored);
    for (const listed of stored.toReversed()) list.add(listed);
    expect(list.finish()).toEqual([]);
  });

  test('the first list consists of initial additions', () => {
    const { list } = begin([], { isInitial: true });
    list.add(widget('a', 1));
    expect(list.finish()).toEqual([{ type: 'add', object: widget('a', 1), isInitial: true }]);
  });

  test('only a list in full reports another content at the same version, as a correction', () => {
    const [stored, listed] = [widget('a', 1), widget('a', 1, { labels: { changed: 'yes' } })];
    for (const inFull of [false, true]) {
      const { list } = begin([stored, widget('b', 1)], { inFull });
      for (const each of [listed, widget('b', 1)]) list.add(each);
      const correction = { type: 'update', object: listed, old: stored, isCorrection: true };
      expect(list.finish()).toEqual(inFull ? [correction] : []);
      expect(list.byKey).toEqual(mapOf(inFull ? listed : stored, widget('b', 1)));
    }
  });
});
