import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergeText } from '../../../src/cli/upgrade/merge-text.js';

const LABELS = { ours: 'yours', theirs: 'new' };
const merge = (base: string, ours: string, theirs: string) => mergeText(base, ours, theirs, LABELS);
const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('mergeText', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kindwright-merge-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const gitMerge = (base: string, ours: string, theirs: string) => {
    for (const [name, content] of Object.entries({ base, ours, theirs })) writeFileSync(join(folder, name), content);
    const labels = ['-L', LABELS.ours, '-L', 'base', '-L', LABELS.theirs];
    const { stdout, status } = spawnSync('git', ['merge-file', '-p', ...labels, 'ours', 'base', 'theirs'], {
      ...{ cwd: folder, encoding: 'utf8' },
    });
    return { text: stdout, conflicts: status };
  };

  const base = text('a', 'b', 'c', 'd', 'e');
  test.each([
    ['edits of different lines', base, text('A', 'b', 'c', 'd', 'e'), text('a', 'b', 'c', 'd', 'E')],
    ['edits of neighboring lines', base, text('a', 'B', 'c', 'd', 'e'), text('a', 'b', 'C', 'd', 'e')],
    ['edits of the same line', base, text('a', 'b', '1', 'd', 'e'), text('a', 'b', '2', 'd', 'e')],
    ['two conflicts', base + base, `1${(base + base).slice(1, -2)}2\n`, `3${(base + base).slice(1, -2)}4\n`],
    ['equal edits', base, text('a', 'b', 'x', 'd', 'e'), text('a', 'b', 'x', 'd', 'e')],
    ['an equal edit beside another', base, text('x', 'b', 'c', 'd', 'e'), text('x', 'b', 'c', 'd', 'y')],
    ['insertions at different places', base, text('0', 'a', 'b', 'c', 'd', 'e'), text('a', 'b', 'c', 'd', 'e', 'f')],
    ['insertions at the same place', base, text('a', 'b', '1', 'c', 'd', 'e'), text('a', 'b', '2', 'c', 'd', 'e')],
    ['an edit of a deleted line', base, text('a', 'b', 'd', 'e'), text('a', 'b', 'C', 'd', 'e')],
    ['deletions of different lines', base, text('b', 'c', 'd', 'e'), text('a', 'b', 'c', 'd')],
    ['a deletion of all lines', base, '', text('a', 'b', 'c', 'd', 'E')],
    ['insertions into an empty file', '', text('a'), text('b')],
    ['conflicts with equal first lines', base, text('a', 'n', '1', 'd', 'e'), text('a', 'n', '2', 'd', 'e')],
  ])('mergeText merges %s as git does', (_, before, ours, theirs) => {
    expect(merge(before, ours, theirs)).toEqual(gitMerge(before, ours, theirs));
  });

  test('mergeText puts both sides of a conflict between labelled markers', () => {
    expect(merge(text('a', 'b', 'c'), text('a', 'mine', 'c'), text('a', 'other', 'c'))).toEqual({
      text: text('a', '<<<<<<< yours', 'mine', '=======', 'other', '>>>>>>> new', 'c'),
      conflicts: 1,
    });
  });

  test('mergeText keeps Windows line endings and writes new lines with them', () => {
    const windows = (...lines: string[]) => text(...lines).replaceAll('\n', '\r\n');
    expect(merge(text('a', 'b', 'c'), windows('A', 'b', 'c'), text('a', 'b', 'c', 'd'))).toEqual({
      text: windows('A', 'b', 'c', 'd'),
      conflicts: 0,
    });
    expect(merge(text('a'), windows('mine'), text('other'))?.text).toBe(
      windows('<<<<<<< yours', 'mine', '=======', 'other', '>>>>>>> new'),
    );
  });

  test('mergeText keeps the line endings of each line in a file with both', () => {
    expect(merge('a\nb\nc\n', 'a\r\nb\nc\n', 'a\nb\nC\n')?.text).toBe('a\r\nb\nC\n');
  });

  test('mergeText keeps a byte order mark and a missing newline at the end', () => {
    expect(merge('a\nb\nc\n', '\uFEFFa\nb\nc', 'A\nb\nc\n')).toEqual({ text: '\uFEFFA\nb\nc', conflicts: 0 });
    expect(merge('a\n', 'a', 'a\nb\n')).toEqual({ text: 'a\nb\n', conflicts: 0 });
    expect(merge('a', 'x', 'y')?.text).toBe('<<<<<<< yours\nx\n=======\ny\n>>>>>>> new\n');
  });

  test('mergeText returns undefined for more than 10,000 changed lines', () => {
    const many = Array.from({ length: 10_001 }, (_, index) => `${index}\n`).join('');
    expect(merge('a\n', many, 'b\n')).toBeUndefined();
  });

  test('mergeText with edits between other lines keeps the edits of both sides without a conflict', () => {
    const segment = fc.record({
      editor: fc.constantFrom('none', 'ours', 'theirs'),
      before: fc.nat({ max: 3 }),
      after: fc.nat({ max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 12 }), (segments) => {
        const sides = { base: [''], ours: [''], theirs: [''], expected: [''] };
        for (const [index, { editor, before, after }] of segments.entries()) {
          const lines = (name: string, count: number) =>
            Array.from({ length: count }, (_, at) => `${name}${index}.${at}`);
          const [old, edited] = [lines('old', before), lines('new', after)];
          const separator = `common${index}`;
          sides.base.push(...old, separator);
          sides.ours.push(...(editor === 'ours' ? edited : old), separator);
          sides.theirs.push(...(editor === 'theirs' ? edited : old), separator);
          sides.expected.push(...(editor === 'none' ? old : edited), separator);
        }
        const merged = merge(text(...sides.base), text(...sides.ours), text(...sides.theirs));
        expect(merged).toEqual({ text: text(...sides.expected), conflicts: 0 });
      }),
    );
  });

  test('mergeText of any texts keeps every added line of both sides, and all of one side if the other has no edits', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, lines, (before, mine, other) => {
        const [base, ours, theirs] = [text(...before), text(...mine), text(...other)];
        expect(merge(base, ours, base)).toEqual({ text: ours, conflicts: 0 });
        expect(merge(base, base, theirs)).toEqual({ text: theirs, conflicts: 0 });
        expect(merge(base, ours, ours)).toEqual({ text: ours, conflicts: 0 });
        const merged = merge(base, ours, theirs)?.text.split('\n');
        for (const line of [...mine, ...other]) if (!before.includes(line)) expect(merged).toContain(line);
      }),
    );
  });
});
