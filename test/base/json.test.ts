import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, stringifyJson } from '../../src/base/json.js';
import { parseDeepJson } from '../../src/base/parse-deep-json.js';

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

  test('integers are exact in JSON as deep as the API server accepts, where a reviver overflows the stack', () => {
    const nested = (inner: string) => `${'{"a":['.repeat(5000)}${inner}${']}'.repeat(5000)}`;
    let value = parseJson(nested('{"n":9007199254740993,"s":"\\"9007199254740993","f":1.50,"z":[-1,2e3]}'));
    for (let depth = 0; depth < 5000; depth++) value = (value as { a: unknown[] }).a[0];
    expect(value).toEqual({ n: 9007199254740993n, s: '"9007199254740993', f: 1.5, z: [-1, 2000] });
  });

  test('deep JSON that is not valid is a SyntaxError', () => {
    expect(() => parseJson(`${'['.repeat(9000)}9007199254740993`)).toThrow(SyntaxError);
  });

  test('parseDeepJson returns what parseJson returns for any text', () => {
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => JSON.rawJSON(String(value)));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.oneof(
          integer,
          fc.string(),
          fc.double({ noDefaultInfinity: true, noNaN: true }).map((x) => x + 0),
        ),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const text = JSON.stringify(value);
        expect(parseDeepJson(text)).toEqual(parseJson(text));
      }),
    );
  });
});
