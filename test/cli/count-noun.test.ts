import { expect, test } from '@jest/globals';
import { countNoun } from '../../src/cli/count-noun.js';

test.each([
  [0, '0 objects'],
  [1, '1 object'],
  [2, '2 objects'],
])('countNoun uses the singular or plural for %d', (count, text) => {
  expect(countNoun(count, 'object')).toBe(text);
});
