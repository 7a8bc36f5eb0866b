import { expect, test } from '@jest/globals';
import { jsonSyntaxProblem } from '../../../src/apiserver/schema/json-syntax-problem.js';

const END = 'unexpected end of JSON input';

test.each(['{}', ' [1, -0.5e+3, "\\u00e9\\n", true, false, null, {"a": {"b": []}}] \n', '"é"', '0'])(
  'the JSON %s has no syntax error',
  (text) => {
    expect(jsonSyntaxProblem(text)).toBeUndefined();
  },
);

test.each([
  ['', END],
  [' ', END],
  ['{', END],
  ['"open', END],
  ['[', END],
  ['tru', "invalid character ' ' in literal true (expecting 'e')"],
  ['"\\', "invalid character ' ' in string escape code"],
  ['-', "invalid character ' ' in numeric literal"],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
  ['[1 2]', "invalid character '2' after array element"],
  ['{}}', "invalid character '}' after top-level value"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['-x', "invalid character 'x' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['trux', "invalid character 'x' in literal true (expecting 'e')"],
  ['\u0000', "invalid character '\\x00' looking for beginning of value"],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
])('the JSON %j is rejected with the message of Go', (text, problem) => {
  expect(jsonSyntaxProblem(text)).toBe(problem);
});

test('JSON that is nested too deeply is rejected', () => {
  const nested = (depth: number) => jsonSyntaxProblem('['.repeat(depth) + ']'.repeat(depth));
  expect([nested(10_000), nested(10_001)]).toEqual([undefined, "invalid character '[' exceeded max depth"]);
});
