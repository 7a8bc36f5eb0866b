import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ApiObject } from '../../../src/apiserver/objects/api-object.js';
import { ObjectStore } from '../../../src/apiserver/storage/object-store.js';

const object = (name: string): ApiObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const keys = (store: ObjectStore): string[] => [...store.collection('c').range('')].map(({ key }) => key);

describe('the store', () => {
  test('every write of any collection gets the next revision', () => {
    const store = new ObjectStore();
    const written = [store.put('a', 'x', object('x')), store.put('b', 'y', object('y')), store.remove('a', 'x')!];
    expect(written.map(({ revision }) => revision)).toEqual([2, 3, 4]);
  });

  test('the store keeps keys in order after any sequence of writes', () => {
    const operation = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'a-b', 'a/b'), isPut: fc.boolean() });
    fc.assert(
      fc.property(fc.array(operation), (operations) => {
        const store = new ObjectStore();
        const model = new Set<string>();
        for (const { key, isPut } of operations) {
          if (isPut) store.put('c', key, object(key));
          else store.remove('c', key);
          if (isPut) model.add(key);
          else model.delete(key);
        }
        expect(keys(store)).toEqual([...model].sort());
      }),
    );
  });

  test('the store can be read at a former revision', () => {
    const store = new ObjectStore();
    store.put('c', 'a', object('a'));
    const then = store.revision;
    store.put('c', 'b', object('b'));
    store.remove('c', 'a');
    expect(
      store
        .collection('c')
        .at(then)
        .map(({ key }) => key),
    ).toEqual(['a']);
  });

  test('the store does not change when the journal rejects a write', () => {
    const store = new ObjectStore({
      journal: () => {
        throw new Error('disk full');
      },
    });
    expect(() => store.put('c', 'a', object('a'))).toThrow('disk full');
    expect([keys(store), store.revision]).toEqual([[], 1]);
  });

  test('a quarter of the events is dropped when there are too many', () => {
    const store = new ObjectStore({ history: { events: 4 } });
    for (const name of ['a', 'b', 'c', 'd', 'e']) store.put('c', name, object(name));
    expect(() => store.collection('c').since(2)).toThrow('too old resource version: 2 (3)');
    expect(store.collection('c').since(3)).toHaveLength(3);
  });

  test('a resource keeps no more history than its objects allow, without affecting others', () => {
    const store = new ObjectStore({ history: { size: 100_000 } });
    const large = { ...object('large'), data: { text: 'x'.repeat(10_000) } };
    for (let i = 0; i < 50; i++) store.put('large', 'a', large);
    for (let i = 0; i < 50; i++) store.put('small', 'a', object('small'));
    expect(() => store.collection('large').since(41)).toThrow(/^too old resource version: 41/);
    expect(store.collection('large').since(45)).toHaveLength(6);
    expect(store.collection('small').since(1)).toHaveLength(50);
  });

  test('an object that is larger than all history is stored, and its event is not', () => {
    const store = new ObjectStore({ history: { size: 10 } });
    store.put('c', 'a', object('a'));
    expect(store.get('c', 'a')?.object.metadata.name).toBe('a');
    expect(() => store.collection('c').since(1)).toThrow('too old resource version: 1 (2)');
    expect(store.collection('c').since(2)).toEqual([]);
  });
});
