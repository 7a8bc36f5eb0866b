import { describe, expect, test } from '@jest/globals';
import { formatQuery, selectorParameter } from '../../src/client/query.js';

describe('formatQuery', () => {
  test('formatQuery escapes values and omits undefined ones', () => {
    expect(formatQuery({ a: 'x&y=z', b: undefined, limit: 5, watch: true })).toBe('?a=x%26y%3Dz&limit=5&watch=true');
  });

  test('formatQuery escapes names', () => {
    expect(formatQuery({ 'a&b': 1 })).toBe('?a%26b=1');
  });

  test('formatQuery rejects half of a surrogate pair, which a URL cannot contain', () => {
    const invalid = { code: 'E_REQUEST', message: '"a\\ud800" cannot be part of an HTTP request' };
    expect(() => formatQuery({ labelSelector: 'a\ud800' })).toThrow(expect.objectContaining(invalid));
    expect(() => formatQuery({ 'a\ud800': 1 })).toThrow(expect.objectContaining(invalid));
  });

  test('formatQuery without parameters returns an empty text', () => {
    expect(formatQuery({ a: undefined })).toBe('');
  });
});

describe('selectorParameter', () => {
  test('selectorParameter accepts a selector as text or as an object', () => {
    expect(selectorParameter('a=b')).toBe('a=b');
    expect(selectorParameter({ matchLabels: { a: 'b' } })).toBe('a=b');
  });

  test('selectorParameter is undefined for a selector that matches everything', () => {
    expect([selectorParameter({}), selectorParameter(''), selectorParameter(undefined)]).toEqual(
      Array(3).fill(undefined),
    );
  });
});
