import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shortDescription } from '../../../src/manifests/crd/short-description.js';

test.each([
  ['Short enough.', 20, 'Short enough.'],
  ['One. Two. Three.', 10, 'One. Two.'],
  ['Uses v1.5 of pod.spec now', 14, 'Uses v1.5 of…'],
  ['One two three', 7, 'One…'],
  ['One two three', 8, 'One two…'],
  ['Unbreakable', 5, 'Unbr…'],
  ['Ends. Here', 5, 'Ends.'],
  ['一。二。三', 4, '一。二。'],
  ['Anything', 0, ''],
])('%p in %p characters is %p', (text, length, expected) => {
  expect(shortDescription(text, length)).toBe(expected);
});

test('a short description is no longer than the limit and the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(30), (text, length) => {
      const short = shortDescription(text, length);
      expect(Array.from(short).length).toBeLessThanOrEqual(length);
      expect(Array.from(text).length > length || short === text).toBe(true);
    }),
  );
});
