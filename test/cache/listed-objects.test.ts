import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import { objectKey } from '../../src/api/objects/object-key.js';
import { ListedObjects } from '../../src/cache/listed-objects.js';
import { Store } from '../../src/cache/store.js';
import { describeEvent, mapOf, Replay, widget } from './objects.js';

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

/** An object of one of 8 names in one of 3 states: another version, or another uid. */
const object = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    state: fc.constantFrom('1', '2', 'another'),
  })
  .map(({ name, state }) =>
    state === 'another' ? widget(name, 3, { uid: `another ${name}` }) : widget(name, Number(state)),
  );
const objects = fc.uniqueArray(object, { selector: objectKey });
const objectStep = fc.record({
  do: fc.constantFrom('receive again' as const, 'delete from the list' as const, 'write' as const, 'delete' as const),
  object,
});
type ObjectStep = typeof objectStep extends fc.Arbitrary<infer T> ? T : never;
const step = fc.oneof(fc.constant({ do: 'receive' as const }), objectStep);

/** A list that arrives while the store changes, and the objects that it must have. */
class CheckedList {
  private readonly store: Store;
  private readonly list: ListedObjects;
  private readonly expected = new Map<string, KubeObject>();

  constructor(stored: readonly KubeObject[]) {
    ({ store: this.store, list: this.list } = begin(stored));
  }

  receive(received: KubeObject | undefined): void {
    if (!received) return;
    this.list.add(received);
    this.expected.set(objectKey(received), received);
  }

  run({ do: what, object: changed }: ObjectStep): void {
    const key = objectKey(changed);
    if (what === 'receive again') this.receive(changed);
    else if (what === 'delete from the list') {
      this.list.remove(key);
      this.expected.delete(key);
    } else {
      this.list.touch(key);
      if (what === 'write') this.store.set(key, changed);
      else this.store.delete(key);
    }
  }

  /** Replays the changes on the store. */
  expectChanges(): void {
    const { store, list, expected } = this;
    const replay = new Replay();
    for (const present of store.values()) replay.handle({ type: 'add', object: present, isInitial: true });
    const changed = new Set<string>();
    for (const change of list.finish()) {
      replay.handle(change);
      changed.add(objectKey(change.object));
    }
    expect(replay.objects).toEqual(expected);
    expect(list.byKey).toEqual(expected);
    for (const [key, kept] of list.byKey) if (!changed.has(key)) expect(kept).toBe(store.get(key));
  }
}

describe('ListedObjects', () => {
  test('the changes lead from the store to the list, in any order of both, while both change', () => {
    fc.assert(
      fc.property(objects, objects, fc.array(step, { maxLength: 30 }), (stored, listed, steps) => {
        const list = new CheckedList(stored);
        const rest = listed.values();
        for (const each of steps) {
          if (each.do === 'receive') list.receive(rest.next().value);
          else list.run(each);
        }
        for (const left of rest) list.receive(left);
        list.expectChanges();
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
