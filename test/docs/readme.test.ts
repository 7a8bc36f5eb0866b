import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineCount, modulesOf } from './doc-files.js';
import { flagTable, withFlagTable } from '../tools/flag-table.js';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('the README and the tutorial show the PodSet of operators/podset.ts without what only its article needs', () => {
  const podSet = read('operators/podset.ts')
    .replace(/^(?:@(?:Rbac|PrintColumn)\(| {2}(?:Rbac|PrintColumn),).*\n/gm, '')
    .replace(", namespace: 'jicki-system'", '')
    .replace(/\n {2}override deleted[^}]*\}\n/, '');
  expect(modulesOf('README.md')).toEqual([podSet]);
  expect(modulesOf('docs/getting-started.md')).toEqual([podSet]);
});

const sections = new Map(
  read('docs/cli.md')
    .split(/^## /m)
    .map((section) => [section.split('\n', 1)[0], section]),
);

test.each([
  ['run-operator', 'run-operator'],
  ['generate-manifests', 'generate-manifests'],
  ['kindwright serve', 'kindwright demo and kindwright serve'],
])('docs/cli.md lists every option of %s', (command, heading) => {
  const [program = '', ...args] = command.split(' ');
  const bin = join(root, 'dist', 'cli', 'bin', `${program}.js`);
  const help = execFileSync(process.execPath, [bin, ...args, '--help'], { encoding: 'utf8' });
  const options = [...help.matchAll(/^\s+(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option);
  expect(options.length).toBeGreaterThan(3);
  const listed = new Set(sections.get(heading)?.match(/--?[a-z-]+/g));
  const missing = options.filter((option) => !['--help', '--version', '--verbose'].includes(option));
  expect(missing.filter((option) => !listed.has(option))).toEqual([]);
});

test('the table of run-operator in docs/cli.md has the texts of its help; update it with npm run generate:flags', () => {
  const bin = join(root, 'dist', 'cli', 'bin', 'run-operator.js');
  const help = execFileSync(process.execPath, [bin, '--help'], { encoding: 'utf8' });
  const page = read('docs/cli.md');
  const unaligned = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
  expect(unaligned(page)).toBe(unaligned(withFlagTable(page, 'run-operator', flagTable(help))));
});

test('docs/README.md links to every page of docs', () => {
  const index = read('docs/README.md');
  const pages = globSync('docs/*.md', { cwd: root }).map((path) => path.slice('docs/'.length));
  expect(pages.filter((page) => page !== 'README.md' && !index.includes(`(${page})`))).toEqual([]);
});

test('docs/examples.md links to every example', () => {
  const page = read('docs/examples.md');
  const examples = globSync('docs/examples/*', { cwd: root }).map((path) => path.slice('docs/'.length));
  expect(examples.filter((path) => !page.includes(`(${path})`))).toEqual([]);
});

test('the README has at most 700 words outside code', () => {
  const text = read('README.md').replaceAll(/^```[^]*?^```$/gm, '');
  expect(text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length).toBeLessThanOrEqual(700);
});

test.each([
  ['podset', 55],
  ['helloapp', 40],
  ['mydemo', 32],
  ['podbugger', 90],
  ['nodepool', 96],
])('the operator %s has at most %i lines, each import being one', (name, limit) => {
  expect(lineCount(read(`operators/${name}.ts`))).toBeLessThanOrEqual(limit);
});
