import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modulesOf, moduleWith } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');

test('every example of docs/testing.md compiles next to the PodSet of the README', () => {
  const folder = mkdtempSync(join(root, 'test', 'docs', 'testing-'));
  try {
    const examples = modulesOf('docs/testing.md').map((code) => code.replace("from 'vitest'", "from '@jest/globals'"));
    expect(examples.length).toBeGreaterThan(3);
    writeFileSync(join(folder, 'podset.ts'), moduleWith('README.md', 'class PodSetSpec'));
    examples.forEach((code, index) => {
      writeFileSync(join(folder, `example-${index}.ts`), code);
    });
    const config = { extends: '../../../tsconfig.json', include: ['.'], compilerOptions: { rootDir: '../../..' } };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(() => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
