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
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
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

  test('an integer of a million digits is rejected, because its conversion would block the process for seconds', () => {
    expect(() => parseJson(`[${'7'.repeat(1_000_000)}]`)).toThrow(
      new SyntaxError('an integer has more than 1000 digits'),
    );
    expect(parseJson(`["${'7'.repeat(1_000_000)}"]`)).toHaveLength(1);
  });

  test('parseJson returns what a reviver with the source returns for any text, also with duplicate keys', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text, exactInteger));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    '[9007199254740993,9007199254740992.0,9.007199254740993e15]',
    '{"a":9007199254740993,"a":9007199254740992}',
    '{"a":9007199254740993,"a":9.007199254740992e15}',
    '{"a":[1,9007199254740993],"a":[1]}',
    '{"a":{"b":9007199254740993},"a":null}',
    '{"a\\"":{"__proto__":9007199254740993}}',
    ' [ { "a\\\\" : [ ] , "b" : { } , "c" : 9007199254740993 } ] ',
    '9007199254740993',
  ])('%s is parsed as by a reviver with the source', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text, exactInteger));
  });
});

function exactInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? '';
  const isInexact = typeof value === 'number' && source !== '-0' && source !== String(value);
  return isInexact && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** Texts with few different keys and numbers, so that keys are often duplicate. */
const jsonTexts = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      '9007199254740993',
      '9007199254740992',
      '9.007199254740992e15',
      '-9223372036854775807',
      '1',
      'null',
    ),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    fc.string().map((text) => JSON.stringify(text)),
    fc.array(tie('tree'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b"', '\\', '__proto__', '1'), tie('tree')), { maxLength: 4 })
      .map((members) => `{${members.map(([key, member]) => `${JSON.stringify(key)}:${member}`).join(',')}}`),
  ),
})).tree;
