import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addQuantities, compareQuantities, normalizeQuantity, quantityToNumber, OperatorError } from 'kindwright';

/** A quantity, and its value in thousandths. */
const quantity = fc
  .tuple(fc.integer({ min: -5000, max: 5000 }), fc.constantFrom('m', '', 'k', 'M', 'Ki', 'Mi'))
  .map(([number, suffix]) => ({ text: `${number}${suffix}`, milli: BigInt(number) * MILLI[suffix]! }));
const MILLI: Readonly<Record<string, bigint>> = {
  m: 1n,
  '': 1000n,
  k: 1_000_000n,
  M: 1_000_000_000n,
  Ki: 1_024_000n,
  Mi: 1_048_576_000n,
};

describe('quantities', () => {
  test.each([
    [['1.5Gi', '512Mi'], '2Gi'],
    [['100m', 2], '2100m'],
    [['0', '1Ki'], '1Ki'],
    [['1Gi', '-1Gi'], '0'],
    [['0.1', '0.2'], '300m'],
    [[], '0'],
  ])('the sum of the quantities %j is %s', (quantities, sum) => {
    expect(addQuantities(...quantities)).toBe(sum);
  });

  test.each([
    ['1024Mi', '1Gi'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1500M', '1500M'],
    ['1.953125Ki', '2k'],
    ['345717062.500Ki', '354014272k'],
    [1000, '1k'],
    ['+5', '+5'],
    ['5.', '5.'],
    ['1E3', '1E3'],
  ])('a quantity is formatted as the API server stores it: %s is %s', (given, normalized) => {
    expect(normalizeQuantity(given)).toBe(normalized);
  });

  test.each([
    ['1.5Gi', 1_610_612_736],
    ['500m', 0.5],
    ['1n', 1e-9],
    ['-2k', -2000],
    [3, 3],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('the quantity %s as a number is %d', (given, value) => {
    expect(quantityToNumber(given)).toBe(value);
  });

  test('quantities with different suffixes are compared and added by value', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        const difference = a.milli - b.milli;
        expect(compareQuantities(a.text, b.text)).toBe(difference === 0n ? 0 : difference < 0n ? -1 : 1);
        expect(compareQuantities(addQuantities(a.text, b.text), `${a.milli + b.milli}m`)).toBe(0);
        expect(compareQuantities(normalizeQuantity(a.text), a.text)).toBe(0);
      }),
    );
  });

  test.each(['', 'x', '1 Gi', '1gi', NaN])('the quantity %j is refused with a hint', (text) => {
    expect(() => normalizeQuantity(text)).toThrow(OperatorError);
    expect(() => addQuantities('1', text)).toThrow('is not a valid quantity');
  });
});
