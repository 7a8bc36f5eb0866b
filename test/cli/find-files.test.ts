import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_PATTERN, findFiles } from '../../src/cli/find-files.js';

describe('findFiles', () => {
  let cwd: string;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'find-files-'));
    const files = ['podset.ts', 'deep/mydemo.ts', 'podset.test.ts', 'types.d.ts', 'node_modules/x/x.ts', 'README.md'];
    for (const file of files) {
      mkdirSync(dirname(join(cwd, 'operators', file)), { recursive: true });
      writeFileSync(join(cwd, 'operators', file), '');
    }
  });
  afterEach(() => rmSync(cwd, { recursive: true }));

  const found = (...patterns: string[]) => findFiles(patterns, cwd).map(({ path }) => relative(cwd, path));

  test('findFiles returns all sources of the default folder, without tests, declarations and packages', () => {
    expect(found(DEFAULT_PATTERN)).toEqual(['operators/deep/mydemo.ts', 'operators/podset.ts']);
  });

  test('findFiles returns all files of a folder', () => {
    expect(found('operators/deep')).toEqual(['operators/deep/mydemo.ts']);
  });

  test('a file given by name is found even if patterns skip files of this name', () => {
    expect(findFiles(['operators/podset.test.ts'], cwd)).toEqual([
      { path: join(cwd, 'operators/podset.test.ts'), isNamed: true },
    ]);
  });

  test('findFiles returns each file once, in the given order', () => {
    expect(found('operators/podset.ts', 'operators/**/*.ts')).toEqual([
      'operators/podset.ts',
      'operators/deep/mydemo.ts',
    ]);
  });

  test('the error for a missing file suggests the most similar one', () => {
    expect(() => found('operators/podsets.ts')).toThrow(
      expect.objectContaining({
        message: 'operators/podsets.ts does not exist',
        hint: expect.stringMatching(/^did you mean .*operators\/podset\.ts\?$/),
      }),
    );
  });

  test('the error for a missing file lists the existing ones when none is similar', () => {
    expect(() => found('operators/reconciliation.ts')).toThrow(
      expect.objectContaining({ hint: 'files in the folder: podset.ts' }),
    );
  });

  test('a pattern that matches nothing is an error', () => {
    expect(() => found('controllers/*.ts')).toThrow(`no file matches controllers/*.ts in ${cwd}`);
  });
});
