import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, stringifyJson } from '../../src/base/json.js';

describe('parseJson and stringifyJson', () => {
  test('an integer beyond 2^53 is parsed and formatted exactly', () => {
    const text = '{"a":9007199254740993,"b":[-9223372036854775808],"c":1}';
    expect(parseJson(text)).toEqual({ a: 9007199254740993n, b: [-9223372036854775808n], c: 1 });
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test('a long run of digits in a string stays a string', () => {
    expect(parseJson('{"a":"x: 90071992547409931234"}')).toEqual({ a: 'x: 90071992547409931234' });
  });

  test('a fraction and an exponent stay numbers', () => {
    expect(parseJson('[1234567890123456.5, 1e300]')).toEqual([1234567890123456.5, 1e300]);
  });

  test('a __proto__ member of JSON becomes data and changes no prototype', () => {
    const value = parseJson('{"__proto__":{"admin":true},"n":9007199254740993}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('parseJson returns every value that stringifyJson formatted', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(parseJson(stringifyJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('every 64-bit integer is formatted and parsed exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
        expect(stringifyJson(parseJson(`{"n":${integer}}`))).toBe(`{"n":${integer}}`);
      }),
    );
  });
});
