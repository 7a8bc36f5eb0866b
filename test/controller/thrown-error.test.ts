import { describe, expect, test } from '@jest/globals';
import { thrownError } from '../../src/controller/thrown-error.js';

const circular: Record<string, unknown> = { name: 'loop' };
circular.self = circular;
const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error('trap');
    },
  },
);

describe('thrownError', () => {
  test('leaves an Error as it is', () => {
    const error = new RangeError('too far');
    expect(thrownError(error)).toBe(error);
  });

  test.each<[string, unknown, RegExp]>([
    ['a string', 'oops', /'oops'/],
    ['undefined', undefined, /undefined/],
    ['null', null, /null/],
    ['a frozen object', Object.freeze({ code: 7 }), /code: 7/],
    ['a circular object', circular, /Circular/],
    ['a symbol', Symbol('s'), /Symbol\(s\)/],
    ['a proxy that throws', hostile, /thrown/],
  ])('makes a printable Error of %s', (_, thrown, pattern) => {
    expect(thrownError(thrown).message).toMatch(pattern);
  });

  test.each<[string, unknown]>([
    ['string', 'x'.repeat(1_000_000)],
    ['Error', new Error('x'.repeat(1_000_000))],
    ['list', Array(100_000).fill('x'.repeat(100))],
  ])('cuts a huge %s short', (_, thrown) => {
    expect(thrownError(thrown).message.length).toBeLessThan(9_000);
  });
});
