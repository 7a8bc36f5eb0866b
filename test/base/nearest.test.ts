import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nearest } from '../../src/base/nearest.js';

describe('nearest', () => {
  test.each([
    ['podst.ts', 'podset.ts'],
    ['PodSet.ts', 'podset.ts'],
    ['helo.ts', 'hello.ts'],
  ])('for the word %s nearest suggests %s', (word, expected) => {
    expect(nearest(word, ['hello.ts', 'nodepool.ts', 'podset.ts'])).toBe(expected);
  });

  test('nearest suggests nothing for a word that is unlike all names', () => {
    expect(nearest('deployment', ['podset', 'mydemo'])).toBeUndefined();
  });

  test('the nearest name to a known name is the name itself', () => {
    fc.assert(fc.property(fc.array(fc.string(), { minLength: 1 }), (words) => nearest(words[0]!, words) !== undefined));
  });
});
