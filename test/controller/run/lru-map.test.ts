import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LruMap } from '../../../src/controller/run/lru-map.js';

test('an LruMap removes the least recently used entry', () => {
  const map = new LruMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
});

test('an LruMap holds the entries that were used last, in any order of calls', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const calls = fc.array(fc.record({ method: fc.constantFrom('set', 'get', 'delete'), key }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), calls, (capacity, script) => {
      const map = new LruMap<string>(capacity);
      let used: string[] = [];
      for (const { method, key } of script) {
        const others = used.filter((other) => other !== key);
        const isHeld = others.length < used.length;
        if (method === 'set') map.set(key, key);
        else if (method === 'delete') map.delete(key);
        else expect(map.get(key)).toBe(isHeld ? key : undefined);
        used = isUsed(method, isHeld) ? [...others, key].slice(-capacity) : others;
        expect(map.size).toBe(used.length);
      }
    }),
  );
});

function isUsed(method: string, isHeld: boolean): boolean {
  return method === 'set' || (method === 'get' && isHeld);
}
