import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deepClone } from '../../src/base/deep-clone.js';
import { deepEqual } from '../../src/base/deep-equal.js';

describe('deepEqual', () => {
  test('deepEqual treats a missing member like an undefined one', () => {
    expect(deepEqual({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(deepEqual({ a: 1 }, { a: 1, b: undefined })).toBe(true);
  });

  test.each([
    [[], {}],
    [null, {}],
    [null, undefined],
    [1, '1'],
    [[1, 2], [1]],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    [{}, { a: null }],
    [new Date(0), new Date(1)],
    [new Date(0), {}],
    [new Map([[1, 2]]), new Map()],
    [{}, { toString: 'x' }],
    [{}, JSON.parse('{"__proto__": {}}')],
  ])('deepEqual distinguishes %j from %j', (a, b) => {
    expect(deepEqual(a, b)).toBe(false);
    expect(deepEqual(b, a)).toBe(false);
  });
});

describe('deepClone', () => {
  test('deepClone returns an equal copy that shares nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = deepClone(value);
        expect(deepEqual(copy, value)).toBe(true);
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
      }),
    );
  });

  test('deepClone copies a Date, and keeps what has no JSON form', () => {
    const value = { since: new Date(7), bad: new Date(NaN), map: new Map([['a', 1]]) };
    const copy = deepClone(value);
    expect(copy.since).toEqual(value.since);
    expect(copy.bad.getTime()).toBeNaN();
    expect(copy.map).toBe(value.map);
    expect(copy.since).not.toBe(value.since);
    expect(deepEqual(copy, { ...value, map: copy.map })).toBe(true);
  });

  test('deepClone copies a __proto__ member as data', () => {
    const copy = deepClone(JSON.parse('{"__proto__":{"admin":true}}') as object);
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });
});
