import { describe, expect, test } from '@jest/globals';
import { positionAt, sourceExcerpt } from '../../src/compiler/source-excerpt.js';

describe('positionAt', () => {
  test('counts lines and columns from 1', () => {
    expect(positionAt('abc', 0)).toEqual({ line: 1, column: 1 });
  });

  test.each(['\n', '\r\n', '\r', '\u2028'])('takes %j for the end of a line', (end) => {
    expect(positionAt(`ab${end}cd`, 2 + end.length + 1)).toEqual({ line: 2, column: 2 });
  });
});

describe('sourceExcerpt', () => {
  test('puts the caret under the column, tabs kept as wide as they are', () => {
    expect(sourceExcerpt('one\n\ttwo', { line: 2, column: 3 })).toBe('  2 | \ttwo\n    | \t ^');
  });
});
