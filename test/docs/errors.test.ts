import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const sources = globSync('src/**/*.ts', { cwd: root }).map(read).join('\n');
const codesInSource = [...new Set([...sources.matchAll(/'(E_[A-Z_]+)'/g)].map(([, code = '']) => code))];
const rows = [...read('docs/errors.md').matchAll(/^\| `(E_[A-Z_]+)` *\|(.*)\|(.*)\|$/gm)].map(
  ([, code = '', cause = '', remedy = '']) => ({ code, cause: cause.trim(), remedy: remedy.trim() }),
);

test('docs/errors.md lists every error code of the source once, and no other', () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.map(({ code }) => code).sort()).toEqual(codesInSource.sort());
});

test('docs/errors.md gives a cause and a remedy for every code', () => {
  expect(rows.filter(({ cause, remedy }) => cause === '' || remedy === '')).toEqual([]);
});

test('commands print the code of an error with -v', () => {
  const bin = join(root, 'dist', 'cli', 'bin', 'run-operator.js');
  const { stderr } = spawnSync(process.execPath, [bin, 'missing.ts', '-v'], { cwd: root, encoding: 'utf8' });
  expect(stderr).toContain('missing.ts does not exist');
  expect(stderr).toContain("code: 'E_NO_FILE'");
});
