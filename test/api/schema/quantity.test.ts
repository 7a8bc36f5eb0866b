import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalQuantity, parseQuantity } from '../../../src/api/schema/quantity.js';

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
    ['.5', '500m'],
    ['1.5', '1500m'],
    ['10.000', '10'],
    ['-.5', '-500m'],
    ['0e5', '0'],
    ['-0', '0'],
    ['1e4', '10e3'],
    ['1e17', '100e15'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['1e-10', '1e-9'],
    ['1e-400', '1e-9'],
    ['1e99', '1e99'],
    ['0.1Ki', '102400m'],
    ['-1.5Ki', '-1536'],
    ['1.0000000001Ki', '1024000000103n'],
  ])('the quantity %s is formatted as %s', (given, canonical) => {
    expect(canonicalQuantity(given)).toBe(canonical);
  });

  // By the parser of k8s.io/apimachinery 0.36.
  test.each([
    '+5',
    '5.',
    '1E3',
    '00005',
    '1.500',
    '-1.001',
    '1e+3',
    '1e03',
    '123e18',
    '5.Gi',
    '+4Ki',
    '04Ki',
    '1.000001M',
  ])('the spelling %s is kept, as by Kubernetes', (text) => {
    expect(canonicalQuantity(text)).toBe(text);
  });

  test.each([
    ['+8Ki', '8Ki'],
    ['8.Ki', '8Ki'],
    ['+5Pi', '5Pi'],
    ['+123456789012Ki', '123456789012Ki'],
    ['+1234567890123456789', '1234567890123456789'],
    ['1.0000000001', '1000000001n'],
    ['+1000', '1k'],
    ['-1.000k', '-1k'],
  ])('the spelling %s is replaced by %s, as by Kubernetes', (given, canonical) => {
    expect(canonicalQuantity(given)).toBe(canonical);
  });

  test.each([
    ['8Ei', '9223372036854775807'],
    ['-16Ei', '-9223372036854775807'],
  ])('the binary quantity %s is limited to %s', (given, canonical) => {
    expect(canonicalQuantity(given)).toBe(canonical);
  });

  test.each(['3e91234567', '1e-99999999', '1e99999999999999999999'])(
    'the exponent of %s is not computed, because it would take minutes',
    (text) => {
      expect(canonicalQuantity(text)).toBeUndefined();
    },
  );

  test.each(['', 'x', '1 Gi', '1Gib', '.', '--1'])('%j is not a valid quantity', (text) => {
    expect(canonicalQuantity(text)).toBeUndefined();
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
