import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('the README names every option of both commands', () => {
  for (const command of ['run-operator', 'generate-manifests']) {
    const bin = join(root, 'dist', 'cli', 'bin', `${command}.js`);
    const help = execFileSync(process.execPath, [bin, '--help'], { encoding: 'utf8' });
    const options = [...help.matchAll(/^\s+(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option);
    expect(options.length).toBeGreaterThan(3);
    const missing = options.filter((option) => !['--help', '--version'].includes(option) && !readme.includes(option));
    expect(missing).toEqual([]);
  }
});
