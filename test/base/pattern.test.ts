import { describe, expect, test } from '@jest/globals';
import { compilePattern, patternError } from '../../src/base/pattern.js';

const matches = (pattern: string, text: string): boolean => compilePattern(pattern).matcher(text).find();

describe('compilePattern', () => {
  test('a pattern matches by code points', () => {
    expect(matches('^.$', '\u{1f600}')).toBe(true);
    expect(matches('^\\pL$', 'é')).toBe(true);
  });

  test.each([
    ['(?i)^abc$', 'ABC', true],
    ['^[[:alpha:]]+$', 'ab', true],
    ['^[[:alpha:]]+$', ':a', false],
    ['^a\\-b$', 'a-b', true],
    ['^\\Qa.b\\E$', 'axb', false],
    ['^\\s$', '\u00a0', false],
  ])('a pattern has the meaning of RE2: %s for %j', (pattern, text, isMatch) => {
    expect(matches(pattern, text)).toBe(isMatch);
  });

  test('a pattern matches in linear time', () => {
    expect(matches('^(a+)+$', `${'a'.repeat(5000)}!`)).toBe(false);
  });
});

describe('patternError', () => {
  test('patternError returns the error of RE2 for an invalid pattern', () => {
    expect(patternError('a')).toBeUndefined();
    expect(patternError('a(')).toBe('error parsing regexp: missing closing ): `a(`');
  });
});
