import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modulesOf, moduleWith } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const pages = ['README.md', ...globSync('docs/*.md', { cwd: root })].filter((page) => modulesOf(page).length > 0);

// Compiles all examples together, against the declarations of the package, because imports take the most time.
test('every example of the README and of docs compiles', () => {
  expect(pages.length).toBeGreaterThan(4);
  const folder = mkdtempSync(join(root, 'test', 'docs', 'examples-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const declarations = (name: string): string[] => [join(root, 'dist', `${name}.d.ts`)];
  const compilerOptions = {
    rootDir: '../../..',
    paths: {
      kindwright: declarations('index'),
      'kindwright/definitions': declarations('definitions'),
      'kindwright/jest': declarations('jest'),
      'kindwright/testing': declarations('testing'),
      'kindwright/vite': declarations('vite'),
    },
  };
  try {
    // Vitest is not installed here; test/package checks this against its real types.
    write(
      'vitest.d.ts',
      "declare module 'vitest/config' { function defineConfig(config: { plugins: object[] }): object }",
    );
    write('tsconfig.json', JSON.stringify({ extends: '../../../tsconfig.json', include: ['.'], compilerOptions }));
    for (const page of pages) {
      const examples = modulesOf(page);
      for (const [index, code] of examples.entries())
        write(`${page}/example-${String(index)}.ts`, code.replace("from 'vitest'", "from '@jest/globals'"));
    }
    write('docs/testing.md/podset.ts', moduleWith('README.md', 'class PodSetSpec'));
    const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
    const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
