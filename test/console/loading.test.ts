import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from '@jest/globals';

const SRC = join(import.meta.dirname, '..', '..', 'src');
/** A static import of values; `import type` is erased, and `import()` loads when it is called. */
const IMPORT = /^(?:import|export)(?! type )[^;]*? from '([^']+)';/gm;

test('no module of the console is loaded before it is opened or a command reads it', () => {
  const importers = globSync('**/*.ts', { cwd: SRC })
    .filter((path) => !path.startsWith('console/') && !path.startsWith('cli/console/'))
    .filter((path) => {
      const text = readFileSync(join(SRC, path), 'utf8');
      return [...text.matchAll(IMPORT)].some(([, name = '']) => isOfConsole(path, name));
    });
  expect(importers).toEqual([]);
});

function isOfConsole(path: string, name: string): boolean {
  if (!name.startsWith('.')) return false;
  const target = relative(SRC, join(SRC, path, '..', name));
  return target.startsWith('console/') || target.startsWith('cli/console/');
}
