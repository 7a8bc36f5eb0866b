import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../src/api/kube-object.js';
import { StoreWalk } from '../../src/cache/store-walk.js';
import { Store } from '../../src/cache/store.js';

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 8 });

const objectsNamed = (keys: readonly string[]): [string, KubeObject][] =>
  keys.map((name) => [name, { metadata: { name } }]);

function walked(stored: readonly string[], listed: readonly string[]): [Store, StoreWalk] {
  const store = new Store();
  for (const [key, object] of objectsNamed(stored)) store.set(key, object);
  return [store, new StoreWalk(store, new Map(objectsNamed(listed)))];
}

test('a walk finds the stored object of each key of a list, in any order of the two', () => {
  fc.assert(
    fc.property(names, names, (stored, listed) => {
      const [store, walk] = walked(stored, listed);
      expect(listed.map((key) => walk.find(key))).toEqual(listed.map((key) => store.get(key)));
    }),
  );
});

test('a list in the order of the store needs no look-up, also after deleted objects', () => {
  const [store, walk] = walked(['a', 'b', 'c', 'd'], ['b', 'd', 'e']);
  const lookedUp: string[] = [];
  const get = store.get.bind(store);
  store.get = (key) => {
    lookedUp.push(key);
    return get(key);
  };
  expect(['b', 'd', 'e'].map((key) => walk.find(key)?.metadata.name)).toEqual(['b', 'd', undefined]);
  expect(lookedUp).toEqual(['e']);
});
