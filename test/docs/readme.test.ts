import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modulesOf } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('every whole program in the README compiles', () => {
  const folder = mkdtempSync(join(root, 'test', 'docs', 'readme-'));
  try {
    const programs = modulesOf('README.md');
    expect(programs.length).toBeGreaterThan(0);
    programs.forEach((text, index) => {
      writeFileSync(join(folder, `program-${index}.ts`), text);
    });
    const config = { extends: '../../../tsconfig.json', include: ['.'], compilerOptions: { rootDir: '../../..' } };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(() => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

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
