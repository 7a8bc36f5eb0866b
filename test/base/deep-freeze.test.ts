import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deepFreeze } from '../../src/base/deep-freeze.js';

test('every object and list in a JSON value is frozen', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      deepFreeze(value);
      const isFrozen = (part: unknown): boolean =>
        typeof part !== 'object' || part === null || (Object.isFrozen(part) && Object.values(part).every(isFrozen));
      expect(isFrozen(value)).toBe(true);
    }),
  );
});

test('a value is frozen at any depth', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown[];
  let value = deepFreeze(deep);
  while (Object.isFrozen(value) && value[0]) value = value[0] as unknown[];
  expect(Object.isFrozen(value)).toBe(true);
});
