import { expect, test } from '@jest/globals';
import { warningHeaders } from '../../../../src/apiserver/transport/response/warning-headers.js';

const shown = (texts: readonly string[]): string[] =>
  warningHeaders(texts).map((header) => Buffer.from(header, 'latin1').toString());

test('a repeated warning is sent once, quoted', () => {
  expect(shown(['a "b" \\c', '', 'a "b" \\c', 'd'])).toEqual(['299 - "a \\"b\\" \\\\c"', '299 - "d"']);
});

test('a warning in any language is a valid header in Node', () => {
  const [header = ''] = warningHeaders(['フィールド é 😀']);
  expect(header).toMatch(/^[\x20-\xff]+$/);
  expect(shown(['フィールド é 😀'])).toEqual(['299 - "フィールド é 😀"']);
});

test('a warning with a control character is omitted', () => {
  expect(shown(['a\tb', 'a\u0085b', 'c'])).toEqual(['299 - "c"']);
});

test('warnings of 4096 characters in total are complete', () => {
  expect(shown(['ä'.repeat(4000), 'b'.repeat(96)])).toEqual([
    `299 - "${'ä'.repeat(4000)}"`,
    `299 - "${'b'.repeat(96)}"`,
  ]);
});

test('longer warnings are shortened, and further ones omitted', () => {
  const texts = ['ä'.repeat(4000), 'short', ...Array.from({ length: 30 }, (_, index) => `${index} ${'b'.repeat(300)}`)];
  const headers = shown(texts);
  expect(headers.slice(0, 3)).toEqual([`299 - "${'ä'.repeat(256)}"`, '299 - "short"', `299 - "0 ${'b'.repeat(254)}"`]);
  expect(headers).toHaveLength(17);
});
