import { describe, expect, test } from '@jest/globals';
import { re2Problem } from '../../../src/resource/fields/re2.js';

describe('re2Problem', () => {
  test.each([
    '^[a-z]+$',
    '(?:a|b)*',
    'a{1000}',
    '\\d\\w\\s',
    '\\\\1',
    '\\\\u',
    '(?<name>a)',
    '\\x{1F600}?',
    '[\\]]',
    '[(?=]',
    '(?i)a',
    '[[:alpha:]]',
    '\\pL\\z',
  ])('the pattern %s is valid in RE2', (pattern) => {
    expect(re2Problem(pattern)).toBeUndefined();
  });

  test.each([
    ['(?=a)', 'has a look-around'],
    ['(?!a)', 'has a look-around'],
    ['(?<=a)b', 'has a look-around'],
    ['(?<!a)b', 'has a look-around'],
    ['(a)\\1', 'has a back-reference'],
    ['(?<n>a)\\k<n>', 'has a back-reference'],
    ['\\u00e9', 'has a \\u escape'],
    ['\\cA', 'has a control escape'],
    ['[^]', 'has an empty class'],
    ['a{1001}', 'is not a valid regular expression: invalid repeat count: `{1001}`'],
    ['(', 'is not a valid regular expression: missing closing ): `(`'],
  ])('the pattern %s is rejected', (pattern, problem) => {
    expect(re2Problem(pattern)).toBe(problem);
  });
});
