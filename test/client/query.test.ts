import { describe, expect, test } from '@jest/globals';
import { formatQuery, selectorParameter } from '../../src/client/query.js';

describe('formatQuery', () => {
  test('escapes values and leaves out what is undefined', () => {
    expect(formatQuery({ a: 'x&y=z', b: undefined, limit: 5, watch: true })).toBe('?a=x%26y%3Dz&limit=5&watch=true');
  });

  test('is empty without parameters', () => {
    expect(formatQuery({ a: undefined })).toBe('');
  });
});

describe('selectorParameter', () => {
  test('takes a selector as text or as an object', () => {
    expect(selectorParameter('a=b')).toBe('a=b');
    expect(selectorParameter({ matchLabels: { a: 'b' } })).toBe('a=b');
  });

  test('is undefined when it selects everything', () => {
    expect([selectorParameter({}), selectorParameter(''), selectorParameter(undefined)]).toEqual(
      Array(3).fill(undefined),
    );
  });
});
