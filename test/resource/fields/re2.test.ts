import { describe, expect, test } from '@jest/globals';
import { compilePattern, re2Problem } from '../../../src/resource/fields/re2.js';

describe('compilePattern', () => {
  test('matches by code points', () => {
    expect(compilePattern('^.$').test('\u{1f600}')).toBe(true);
    expect(compilePattern('^\\p{L}$').test('é')).toBe(true);
  });

  test('takes escapes that only RE2 and older JavaScript know', () => {
    expect(compilePattern('^[\\-a]$').test('-')).toBe(true);
    expect(compilePattern('^a\\-b$').test('a-b')).toBe(true);
  });
});

describe('re2Problem', () => {
  test.each(['^[a-z]+$', '(?:a|b)*', 'a{1000}', '\\d\\w\\s', '\\\\1', '\\\\u', '(?<name>a)', '\\x{1F600}?', '[\\]]'])(
    'takes %s',
    (pattern) => {
      expect(re2Problem(pattern)).toBeUndefined();
    },
  );

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
    ['a{1001}', 'repeats more than 1000 times'],
    ['a{1,2000}', 'repeats more than 1000 times'],
  ])('refuses %s', (pattern, problem) => {
    expect(re2Problem(pattern)).toBe(problem);
  });

  test('refuses what is no regular expression', () => {
    expect(re2Problem('(')).toMatch(/^is no regular expression: /);
  });
});
