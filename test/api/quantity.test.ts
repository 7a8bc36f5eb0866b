import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalQuantity, parseQuantity } from '../../src/api/quantity.js';

describe('a quantity', () => {
  test.each([
    [1, '1'],
    ['0.5', '500m'],
    ['1000m', '1'],
    ['1024Mi', '1Gi'],
    ['1500Mi', '1500Mi'],
    ['1.5Gi', '1536Mi'],
    ['100k', '100k'],
    ['1e3', '1e3'],
    ['-1', '-1'],
    ['0', '0'],
    ['512', '512'],
  ])('the quantity %s is formatted as %s', (given, canonical) => {
    expect(canonicalQuantity(given)).toBe(canonical);
  });

  test.each(['', 'x', '1 Gi', '1Gib', '.', '--1'])('%j is not a valid quantity', (text) => {
    expect(canonicalQuantity(text)).toBeUndefined();
  });

  test.each([
    ['1e999999999', '1e1000'],
    ['1e-999999999', '1e-1000'],
  ])('the exponent of %s does not block the process: it is limited as in %s', (given, limited) => {
    expect(parseQuantity(given)).toEqual(parseQuantity(limited));
  });

  test('a quantity of more than 1,000 characters is not valid', () => {
    expect(parseQuantity('1'.repeat(1_001))).toBeUndefined();
  });

  test('the canonical form of a quantity has the same value', () => {
    const suffix = fc.constantFrom('', 'm', 'k', 'M', 'Ki', 'Mi', 'Gi');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), suffix, (number, unit) => {
        const text = `${number}${unit}`;
        expect(parseQuantity(canonicalQuantity(text)!)!.nano).toBe(parseQuantity(text)!.nano);
      }),
    );
  });
});
