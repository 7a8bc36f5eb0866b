import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GROUPS, PassedSuites } from './passed-suites.js';

const repository = join(import.meta.dirname, '..', '..');

let root: string;
let passed: PassedSuites;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'passed-suites-'));
  passed = new PassedSuites(root, join(root, 'passed.json'));
  write('src/apiserver/storage/journal.ts', 'one');
  write('test/durability/kills.test.ts', 'two');
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

describe('the record of suites that passed', () => {
  test('everything counts as changed without a record', () => {
    expect(passed.changed('durability')).toEqual(['src/apiserver/storage', 'test/durability']);
  });

  test('nothing has changed after the record', () => {
    passed.record('durability', passed.contents('durability'));
    expect(passed.changed('durability')).toEqual([]);
  });

  test.each([
    ['a changed file', () => write('src/apiserver/storage/journal.ts', 'other')],
    ['a new file', () => write('src/apiserver/storage/deep/new.ts', 'new')],
    [
      'a renamed file',
      () => {
        rmSync(join(root, 'src/apiserver/storage/journal.ts'));
        write('src/apiserver/storage/log.ts', 'one');
      },
    ],
  ])('%s is a change', (_, change) => {
    passed.record('durability', passed.contents('durability'));
    change();
    expect(passed.changed('durability')).toEqual(['src/apiserver/storage']);
  });

  test('a change during the run of the suites is one that they have not passed with', () => {
    const contents = passed.contents('durability');
    write('src/apiserver/storage/journal.ts', 'other');
    passed.record('durability', contents);
    expect(passed.changed('durability')).toEqual(['src/apiserver/storage']);
  });

  test('a change outside of the paths of a group is ignored', () => {
    passed.record('durability', passed.contents('durability'));
    write('src/apiserver/other.ts', 'new');
    expect(passed.changed('durability')).toEqual([]);
  });

  test('a path that does not exist is an error', () => {
    rmSync(join(root, 'test'), { recursive: true });
    expect(() => passed.changed('durability')).toThrow('test/durability does not exist');
  });

  test.each(Object.keys(GROUPS) as (keyof typeof GROUPS)[])('all paths of the group %s exist', (group) => {
    const record = join(root, 'none.json');
    expect(new PassedSuites(repository, record).changed(group)).toEqual([...GROUPS[group]]);
  });
});
