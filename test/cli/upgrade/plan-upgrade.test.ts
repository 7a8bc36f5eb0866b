import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planUpgrade, type PresentFile } from '../../../src/cli/upgrade/plan-upgrade.js';

const LABELS = { ours: 'yours', theirs: 'new' };
type Files = Readonly<Record<string, string>>;

const plan = (before: Files, after: Files, present: Readonly<Record<string, PresentFile>>) => {
  const { changes, files } = planUpgrade(
    new Map(Object.entries(before)),
    new Map(Object.entries(after)),
    (path) => present[path],
    LABELS,
  );
  return { changes, files: Object.fromEntries(files) };
};
/** The change of one file, and the text of the scaffold that the next upgrade starts from. */
const planOne = (before: string | undefined, after: string | undefined, file: PresentFile) => {
  const files = (content: string | undefined): Files => (content === undefined ? {} : { f: content });
  const { changes, files: next } = plan(files(before), files(after), { f: file });
  return [changes[0]?.outcome, changes[0]?.after, next['f']];
};

describe('planUpgrade', () => {
  test.each([
    ['replaces a file that the user did not change', 'a\n', 'b\n', 'a\n', ['updated', 'b\n', 'b\n']],
    ['replaces an unchanged file with Windows line endings', 'a\n', 'b\n', 'a\r\n', ['updated', 'b\r\n', 'b\n']],
    ['leaves a file that only the user changed', 'a\n', 'a\n', 'mine\n', [undefined, undefined, 'a\n']],
    ['leaves a file that the user changed as the scaffold does', 'a\n', 'b\n', 'b\n', [undefined, undefined, 'b\n']],
    ['merges a file that both changed', 'a\nb\nc\n', 'a\nb\nC\n', 'A\nb\nc\n', ['merged', 'A\nb\nC\n', 'a\nb\nC\n']],
    [
      ...['marks the conflicts of a file', 'a\n', 'b\n', 'c\n'],
      ['conflict', '<<<<<<< yours\nc\n=======\nb\n>>>>>>> new\n', 'b\n'],
    ],
    ['adds a new file', undefined, 'a\n', undefined, ['added', 'a\n', 'a\n']],
    ['leaves a file of the user with the name of a new one', undefined, 'a\n', 'b\n', ['kept', undefined, undefined]],
    ['accepts a file that equals a new one', undefined, 'a\n', 'a\n', [undefined, undefined, 'a\n']],
    ['leaves a deleted file deleted', 'a\n', 'a\n', undefined, [undefined, undefined, 'a\n']],
    ['restores a deleted file that the scaffold changes', 'a\n', 'b\n', undefined, ['restored', 'b\n', 'b\n']],
    [
      'deletes an unchanged file that is no longer generated',
      'a\n',
      undefined,
      'a\n',
      ['deleted', undefined, undefined],
    ],
    ['keeps a changed file that is no longer generated', 'a\n', undefined, 'b\n', ['kept', undefined, undefined]],
  ] as [string, string | undefined, string | undefined, string | undefined, unknown[]][])(
    'planUpgrade %s',
    (_, before, after, text, expected) => {
      expect(planOne(before, after, text === undefined ? undefined : { text })).toEqual(expected);
    },
  );

  test('planUpgrade does not merge a binary file and starts from the same content the next time', () => {
    expect(planOne('a\n', 'b\n', { unmergeable: 'it is a binary file' })).toEqual(['not merged', undefined, 'a\n']);
    expect(planOne('a\n', undefined, { unmergeable: 'it is a binary file' })).toEqual(['kept', undefined, undefined]);
  });

  test('planUpgrade merges package.json by its members', () => {
    const manifest = (scripts: object) => `${JSON.stringify({ scripts }, undefined, 2)}\n`;
    const { changes } = plan(
      { 'package.json': manifest({ test: 'a' }) },
      { 'package.json': manifest({ test: 'b', check: 'c' }) },
      { 'package.json': { text: manifest({ test: 'mine' }) } },
    );
    expect(changes).toMatchObject([
      {
        outcome: 'merged',
        after: manifest({ test: 'mine', check: 'c' }),
        notes: ['scripts.test stays "mine"; the new scaffold has "b"'],
      },
    ]);
  });

  test('planUpgrade reports a package.json that stays as it is because the user changed the same members', () => {
    const manifest = (test: string) => `${JSON.stringify({ scripts: { test } }, undefined, 2)}\n`;
    const { changes, files } = plan(
      { 'package.json': manifest('a') },
      { 'package.json': manifest('b') },
      { 'package.json': { text: manifest('mine') } },
    );
    expect(changes).toMatchObject([
      { outcome: 'kept', after: undefined, notes: ['scripts.test stays "mine"; the new scaffold has "b"'] },
    ]);
    expect(files).toEqual({ 'package.json': manifest('b') });
  });

  test('planUpgrade twice changes nothing, reads no other files, and loses no line of the user or of the scaffold', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }).map((lines) => lines.join('\n'));
    const files = fc.dictionary(fc.constantFrom('w', 'x', 'y', 'z'), text, { noNullPrototype: true });
    const edits = fc.dictionary(fc.constantFrom('w', 'x', 'y', 'z', 'mine'), fc.option(text), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(files, files, edits, (before, after, edited) => {
        const project = new Map(Object.entries(before));
        for (const [path, content] of Object.entries(edited)) {
          if (content === null) project.delete(path);
          else project.set(path, `mine of ${path}\n${content}`);
        }
        const users = new Map(project);
        const present = (path: string): PresentFile => {
          expect(path).not.toBe('mine');
          const content = project.get(path);
          return content === undefined ? undefined : { text: content };
        };
        const scaffold = new Map(Object.entries(after));
        const first = planUpgrade(new Map(Object.entries(before)), scaffold, present, LABELS);
        for (const { path, outcome, after: content } of first.changes) {
          if (content !== undefined) project.set(path, content);
          if (outcome === 'deleted') project.delete(path);
        }
        for (const [path, content] of users)
          if (content.startsWith('mine of')) expect(project.get(path)).toContain(`mine of ${path}`);
        const written = planUpgrade(first.files, scaffold, present, LABELS).changes.filter(
          (change) => change.outcome !== 'kept',
        );
        expect(written).toEqual([]);
      }),
    );
  });
});
