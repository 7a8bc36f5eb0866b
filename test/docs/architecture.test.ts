import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

test('every path in ARCHITECTURE.md exists', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const places = [...text.matchAll(/`((?:src|test|docs|bench|operators|crds-out)\/[^`]*)`/g)].map(
    ([, place = '']) => place,
  );
  expect(places.length).toBeGreaterThan(30);
  expect(places.filter((place) => globSync(place, { cwd: root }).length === 0)).toEqual([]);
});
