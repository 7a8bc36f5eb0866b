import { expect, test } from '@jest/globals';
import { LruMap } from '../../src/controller/lru-map.js';

test('an LruMap removes the least recently used entry', () => {
  const map = new LruMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
});
