import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const sections = new Map(readme.split(/^## /m).map((section) => [section.split('\n', 1)[0], section]));

test.each([
  ['run-operator', 'run-operator'],
  ['generate-manifests', 'generate-manifests'],
  ['kindwright serve', 'kindwright demo and kindwright serve'],
])('the README names every option of %s where it speaks of it', (command, heading) => {
  const [program = '', ...args] = command.split(' ');
  const bin = join(root, 'dist', 'cli', 'bin', `${program}.js`);
  const help = execFileSync(process.execPath, [bin, ...args, '--help'], { encoding: 'utf8' });
  const options = [...help.matchAll(/^\s+(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option);
  expect(options.length).toBeGreaterThan(3);
  const told = new Set(sections.get(heading)?.match(/--?[a-z-]+/g));
  expect(
    options.filter((option) => !['--help', '--version', '--verbose'].includes(option) && !told.has(option)),
  ).toEqual([]);
});
