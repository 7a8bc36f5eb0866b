import { describe, expect, test } from '@jest/globals';
import { withLabel } from '../../src/cache/look-up.js';
import { Indexer } from '../../src/cache/indexer.js';
import { mapOf, widget } from './objects.js';

const objects = mapOf(widget('a', 1, { labels: { x: '1' } }), widget('b', 1, { labels: { x: '1', y: '1' } }));
const build = (indexer: Indexer): number => [...indexer.build()].length;

describe('Indexer', () => {
  test('beyond its limit an indexer drops the least recently used index', () => {
    const indexer = new Indexer(2);
    const isBuilt = (label: string) => indexer.prepare(withLabel(label, ''), objects);
    for (const label of ['x', 'y', 'x', 'z']) indexer.keysOf(withLabel(label, ''), '', objects);
    expect(isBuilt('x')).toBe(true);
    expect(isBuilt('z')).toBe(true);
    expect(isBuilt('y')).toBe(false);
  });

  test('a declared index is never dropped', () => {
    const indexer = new Indexer(1);
    indexer.declare(withLabel('x', ''), objects);
    build(indexer);
    for (const label of ['y', 'z']) indexer.keysOf(withLabel(label, ''), '', objects);
    expect(indexer.prepare(withLabel('x', ''), objects)).toBe(true);
  });

  test('an index that is built in steps is correct if objects change between the steps', () => {
    const indexer = new Indexer();
    const present = new Map(objects);
    const keys = () => [...indexer.keysOf(withLabel('x', ''), '1', present)].sort();
    const change = (key: string, object: ReturnType<typeof widget> | undefined): void => {
      indexer.update(key, present.get(key), object);
      if (object) present.set(key, object);
      else present.delete(key);
    };
    for (const name of ['c', 'd', 'e']) change(`ns/${name}`, widget(name, 1, { labels: { x: '1' } }));
    indexer.prepare(withLabel('x', ''), present);
    const steps = indexer.build()[Symbol.iterator]();
    steps.next(); // a
    change('ns/a', widget('a', 2, { labels: { x: '2' } }));
    change('ns/b', widget('b', 2, { labels: { x: '2' } }));
    change('ns/c', undefined);
    change('ns/f', widget('f', 1, { labels: { x: '1' } }));
    expect(indexer.isBuilt).toBe(false);
    expect(keys()).toEqual(['ns/d', 'ns/e', 'ns/f']);
    expect(indexer.isBuilt).toBe(true);
  });
});
