import { describe, expect, test } from '@jest/globals';
import { positionAt, sourceExcerpt } from '../../src/compiler/source-excerpt.js';

describe('positionAt', () => {
  test('positionAt counts lines and columns from 1', () => {
    expect(positionAt('abc', 0)).toEqual({ line: 1, column: 1 });
  });

  test.each(['\n', '\r\n', '\r', '\u2028'])('positionAt treats %j as the end of a line', (end) => {
    expect(positionAt(`ab${end}cd`, 2 + end.length + 1)).toEqual({ line: 2, column: 2 });
  });
});

describe('sourceExcerpt', () => {
  test('the excerpt has its caret below the column, with tabs as wide as in the source', () => {
    expect(sourceExcerpt('one\n\ttwo', { line: 2, column: 3 })).toBe('  2 | \ttwo\n    | \t ^');
  });
});
