import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { format } from 'prettier';
import { printLiteral } from '../../../src/import-crd/source/literal.js';

const prettier = { parser: 'typescript', printWidth: 120, singleQuote: true };

/** Texts as definitions hold them: short and long, with quotes of both sorts, on one line and on more. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.stringMatching(/^[a-z'"`$\\{}. \n]{0,160}$/),
  fc.constantFrom('é', '漢字', '\u2028', '\r\n', '${x}', '`', 'a\nb'),
);
const key = fc.oneof(
  fc.stringMatching(/^[A-Za-z-]{1,14}$/),
  fc.constantFrom('__proto__', 'a\nb', 'größe', 'a.b/c', 'class'),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 6 }),
  object: fc
    .uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 5 })
    .map(Object.fromEntries),
}));

describe('literals of JSON values', () => {
  test('literals of JSON values evaluate to the values', () => {
    fc.assert(
      fc.property(value, (json) => {
        const source = printLiteral(json, { indent: 0, column: 11, suffix: 1 });
        // A separate program, so that the printed source is compiled.
        const evaluated: unknown = (0, eval)(`(${source})`);
        expect(JSON.stringify(evaluated)).toBe(JSON.stringify(json));
      }),
    );
  });

  test('literals of JSON values are formatted as by prettier', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ first: value, second: value }), async (json) => {
        const source = `decorated(${printLiteral(json, { indent: 0, column: 10, suffix: 2 })});\n`;
        expect(source).toBe(await format(source, prettier));
      }),
      { numRuns: 300 },
    );
  });
});
