import { expect, test } from '@jest/globals';
import { RecentMap } from '../../../src/controller/hot-loops/recent-map.js';

test('an entry stays while it is used at least once in each period', () => {
  const map = new RecentMap<number>(100);
  map.set('a', 1, 0);
  for (const now of [90, 180, 270, 360]) expect(map.get('a', now)).toBe(1);
});

test('an entry that is not used for two periods is dropped', () => {
  const map = new RecentMap<number>(100);
  map.set('a', 1, 0);
  map.set('b', 2, 110);
  expect(map.get('b', 215)).toBe(2);
  expect(map.get('a', 215)).toBeUndefined();
  expect(map.get('b', 1000)).toBeUndefined();
});

test('a deleted entry is absent', () => {
  const map = new RecentMap<number>(100);
  map.set('a', 1, 0);
  map.get('a', 150);
  map.delete('a');
  expect(map.get('a', 150)).toBeUndefined();
});
