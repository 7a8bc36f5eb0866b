import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareSemver } from '../../../src/cli/upgrade/compare-semver.js';

describe('compareSemver', () => {
  test.each([
    ['1.2.3', '1.2.4'],
    ['1.9.0', '1.10.0'],
    ['^1.2.3', '^2.0.0'],
    ['~1.2', '1.3.x'],
    ['>=22.19', '>= 24'],
    ['1.0.0-rc.9', '1.0.0-rc.10'],
    ['1.0.0-rc.1', '1.0.0'],
    ['1.0.0-alpha', '1.0.0-alpha.1'],
    ['1.0.0-1', '1.0.0-alpha'],
    ['1.0.0-alpha', '1.0.0-beta+build'],
  ])('compareSemver orders %s before %s', (lower, higher) => {
    expect(compareSemver(lower, higher)).toBeLessThan(0);
    expect(compareSemver(higher, lower)).toBeGreaterThan(0);
  });

  test.each(['1.2', '^1.2.0', '1.2.x', 'v1.2.0', '1.2.0+build'])('compareSemver takes %s for 1.2.0', (range) => {
    expect(compareSemver(range, '1.2.0')).toBe(0);
  });

  test.each(['latest', 'file:../x', '*', '^1 || ^2', '>=1 <2', 'npm:other@1.0.0', 'unknown', ''])(
    'compareSemver does not order %j',
    (range) => expect(compareSemver(range, '1.0.0')).toBeUndefined(),
  );

  test('compareSemver is antisymmetric and transitive', () => {
    const part = fc.oneof(fc.nat({ max: 3 }).map(String), fc.constantFrom('a', 'b'));
    const version = fc
      .tuple(fc.array(fc.nat({ max: 2 }), { minLength: 3, maxLength: 3 }), fc.array(part, { maxLength: 3 }))
      .map(([numbers, pre]) => numbers.join('.') + (pre.length > 0 ? `-${pre.join('.')}` : ''));
    const sign = (a: string, b: string) => Math.sign(compareSemver(a, b) ?? Number.NaN);
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(sign(a, b) + sign(b, a)).toBe(0);
        expect(sign(a, b) === 0).toBe(a === b);
        if (sign(a, b) < 0 && sign(b, c) < 0) expect(sign(a, c)).toBe(-1);
      }),
    );
  });
});
