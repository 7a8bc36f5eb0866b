import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { unifiedDiff } from '../../../src/manifests/output/diff.js';

/** Applies a unified diff as patch(1) does, holding every context and removed line against the text. */
function patched(from: string, diff: string): string {
  const lines = from.split('\n');
  let shift = 0;
  for (const hunk of diff.split(/^@@ /m).slice(1)) {
    const [header = '', ...body] = hunk.split('\n').slice(0, -1);
    const [, start = '0', count = '0'] = /^-(\d+),(\d+)/.exec(header) ?? [];
    const at = Number(start) + shift - (count === '0' ? 0 : 1);
    const before = body.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
    const after = body.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
    expect(lines.slice(at, at + before.length)).toEqual(before);
    lines.splice(at, before.length, ...after);
    shift += after.length - before.length;
  }
  return lines.join('\n');
}

describe('unifiedDiff', () => {
  test('the unified diff of equal texts is empty', () => {
    expect(unifiedDiff('a', 'b', 'x\ny\n', 'x\ny\n')).toBe('');
  });

  test('a unified diff shows changes with three lines around them', () => {
    const from = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    expect(unifiedDiff('a/x', 'b/x', from, from.replace('e', 'E'))).toBe(
      '--- a/x\n+++ b/x\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n',
    );
  });

  test('a unified diff shows distant changes separately', () => {
    const from = Array.from({ length: 30 }, (_, index) => `${index}\n`).join('');
    const diff = unifiedDiff('a', 'b', from, from.replace('2\n', 'x\n').replace('27\n', 'y\n'));
    expect(diff.match(/^@@/gm)).toHaveLength(2);
  });

  test('a unified diff shows a new file as all added', () => {
    expect(unifiedDiff('/dev/null', 'b/x', '', 'a\nb\n')).toBe('--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n');
  });

  test('a unified diff notes a missing line break at the end', () => {
    expect(unifiedDiff('a', 'b', 'x', 'x\n')).toContain('-x\n\\ No newline at end of file\n+x\n');
  });

  test('a unified diff turns one text into the other', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (from, to) => {
        expect(patched(from, unifiedDiff('a', 'b', from, to))).toBe(to);
      }),
    );
  });
});
