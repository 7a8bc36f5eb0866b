import { expect, test } from '@jest/globals';
import { byLabelValue, Indexer } from '../../src/cache/indexer.js';
import { mapOf, widget } from './objects.js';

test('beyond its limit an indexer drops the least recently used index', () => {
  const indexer = new Indexer(2);
  const objects = mapOf(widget('a', 1, { labels: { x: '1' } }));
  const index = (label: string) => indexer.index(label, byLabelValue(label), objects);
  const [x, y] = [index('x'), index('y')];
  expect(index('x')).toBe(x);
  index('z');
  expect(index('x')).toBe(x);
  expect(index('y')).not.toBe(y);
});
