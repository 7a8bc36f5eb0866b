import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareResourceVersions, isNewer, isOldOrSame } from '../../src/cache/resource-version.js';

describe('compareResourceVersions', () => {
  test('resource versions are compared as integers, also beyond 2^53', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), fc.bigInt({ min: 0n, max: 2n ** 80n }), (a, b) => {
        expect(Math.sign(compareResourceVersions(String(a), String(b)) ?? Number.NaN)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  test.each([
    ['', '1'],
    ['abc', '1'],
    ['1', '01'],
    ['-1', '1'],
  ])('the resource versions %p and %p have no order', (a, b) => {
    expect(compareResourceVersions(a, b)).toBeUndefined();
    expect([isNewer(a, b), isNewer(b, a), isOldOrSame(a, b), isOldOrSame(b, a)]).toEqual([false, false, false, false]);
  });

  test('a resource version that is not a number is equal to itself', () => {
    expect(compareResourceVersions('abc', 'abc')).toBe(0);
  });
});
