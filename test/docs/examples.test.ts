import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFiles } from '../../src/cli/scaffold/project-files.js';
import { modulesOf, moduleWith } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const pages = ['README.md', ...globSync('docs/{*,how-to/*}.md', { cwd: root })].filter(
  (page) => modulesOf(page).length > 0,
);
const declarations = (name: string): string[] => [join(root, 'dist', `${name}.d.ts`)];
const compilerOptions = {
  noEmit: true,
  rootDir: '../../..',
  paths: {
    kindwright: declarations('index'),
    'kindwright/definitions': declarations('definitions'),
    'kindwright/jest': declarations('jest'),
    'kindwright/testing': declarations('testing'),
    'kindwright/vite': declarations('vite'),
  },
};

/** Compiles all files together, against the declarations of the package, because imports take the most time. */
function compile(tsconfig: object, writeFiles: (folder: string) => void): void {
  const folder = mkdtempSync(join(root, 'test', 'docs', 'examples-'));
  try {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ include: ['.'], ...tsconfig }));
    writeFiles(folder);
    const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
    const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeExamples(folder: string): void {
  expect(pages.length).toBeGreaterThan(4);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  // Vitest is not installed here; test/package checks this against its real types.
  write(
    'vitest.d.ts',
    "declare module 'vitest/config' { function defineConfig(config: { plugins: object[] }): object }",
  );
  for (const page of pages) {
    const examples = modulesOf(page);
    for (const [index, code] of examples.entries())
      write(`${page}/example-${String(index)}.ts`, code.replace("from 'vitest'", "from '@jest/globals'"));
  }
  write('docs/testing.md/podset.ts', moduleWith('README.md', 'class PodSetSpec'));
}

test.each(pages)('the examples of %s import each module once', (page) => {
  for (const code of modulesOf(page)) {
    const modules = [...code.matchAll(/^(?:import|\}) .*from '(.+)';$/gm)].map(([, name]) => name);
    expect(modules).toEqual([...new Set(modules)]);
  }
});

test('every example of the README and of docs compiles', () => {
  compile({ extends: '../../../tsconfig.json', compilerOptions }, writeExamples);
}, 60_000);

test('operators and examples compile under the tsconfig.json of kindwright init', () => {
  const kind = { group: 'example.com', version: 'v1', kind: 'Cache', plural: 'caches', scope: 'Namespaced' } as const;
  const files = projectFiles({ name: 'cache', dependency: '^0.1.0', kind });
  const content = files.find(({ path }) => path === 'tsconfig.json')?.content ?? '';
  const scaffold = JSON.parse(content) as { compilerOptions: object };
  compile({ compilerOptions: { ...scaffold.compilerOptions, ...compilerOptions } }, (folder) => {
    for (const source of ['operators', 'docs/examples'])
      cpSync(join(root, source), join(folder, source), { recursive: true });
    writeExamples(folder);
  });
}, 60_000);
