import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { thrownError } from '../../src/base/thrown-error.js';

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

const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const unreadable = Object.defineProperty(new Error('x'), 'message', {
  get: () => {
    throw new Error('trap');
  },
});

describe('thrownError', () => {
  test('thrownError returns an Error unchanged', () => {
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
    ['a revoked proxy', revoked, /^non-Error value thrown: /],
    ['an error with a message that throws', unreadable, /^non-Error value thrown: /],
    ['an error with a message that is an object', Object.assign(new Error('x'), { message: { a: 1 } }), /a: 1/],
  ])('thrownError makes a printable Error of %s', (_, thrown, pattern) => {
    expect(thrownError(thrown).message).toMatch(pattern);
  });

  test('thrownError reads a message once, because a getter may throw the next time', () => {
    class Moody extends RangeError {
      private reads = 0;
      override get message(): string {
        this.reads += 1;
        if (this.reads > 1) throw new Error('trap');
        return 'first';
      }
    }
    const error = thrownError(new Moody());
    expect(error).toBeInstanceOf(RangeError);
    expect([error.message, error.message]).toEqual(['first', 'first']);
  });

  test('thrownError describes an error behind a proxy in an error of its own', () => {
    const error = new Proxy(new RangeError('behind'), {});
    expect(thrownError(error)).not.toBe(error);
    expect(thrownError(error).message).toBe('behind');
  });

  test('thrownError keeps the class and the stack of an error with a long message', () => {
    const error = new RangeError('x'.repeat(1_000_000));
    expect(thrownError(error)).toBe(error);
    expect(error.message.length).toBeLessThan(9_000);
  });

  test('thrownError returns a readable error for any value', () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true }),
        (thrown) => typeof thrownError(thrown).message === 'string',
      ),
    );
  });

  test.each<[string, unknown]>([
    ['string', 'x'.repeat(1_000_000)],
    ['Error', new Error('x'.repeat(1_000_000))],
    ['list', Array(100_000).fill('x'.repeat(100))],
  ])('thrownError shortens a huge %s', (_, thrown) => {
    expect(thrownError(thrown).message.length).toBeLessThan(9_000);
  });
});
