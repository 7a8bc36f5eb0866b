import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { difflibDiff } from '../../../../src/apiserver/validation/fields/difflib-diff.js';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

/** Applies a diff to a text. */
function patched(old: string, diff: string): string {
  const lines = old.split('\n');
  const result: string[] = [];
  let next = 0;
  for (const line of diff.split('\n').slice(0, -1)) {
    const start = /^@@ -(\d+)(,0)?/.exec(line);
    if (start) {
      const from = Number(start[1]) - (start[2] === undefined ? 1 : 0);
      result.push(...lines.slice(next, from));
      next = from;
    } else if (line.startsWith('+')) result.push(line.slice(1));
    else {
      expect(lines[next]).toBe(line.slice(1));
      if (line.startsWith(' ')) result.push(line.slice(1));
      next++;
    }
  }
  return [...result, ...lines.slice(next)].join('\n');
}

describe('a unified diff', () => {
  test('the difference of equal texts is empty', () => {
    expect(difflibDiff('a\nb', 'a\nb')).toBe('');
  });

  test('a difference shows three lines around a change, and distant changes separately', () => {
    const [old, next] = [numbered(20), numbered(20)];
    next[2] = 'two';
    next.splice(15, 1);
    expect(difflibDiff(old.join('\n'), next.join('\n'))).toBe(
      '@@ -1,6 +1,6 @@\n 0\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -13,7 +13,6 @@\n 12\n 13\n 14\n-15\n 16\n 17\n 18\n',
    );
  });

  test('a hunk of one line has no line count', () => {
    expect(difflibDiff('a', 'b')).toBe('@@ -1 +1 @@\n-a\n+b\n');
  });

  test('a difference turns one text into the other', () => {
    const text = fc.array(fc.constantFrom('', 'a', 'b', '{', '}'), { minLength: 1, maxLength: 260 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [old, next] = [a.join('\n'), b.join('\n')];
        expect(patched(old, difflibDiff(old, next))).toBe(next);
      }),
    );
  });
});
