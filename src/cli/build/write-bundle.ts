import { chmodSync, existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../../base/write-atomically.js';
import type { BundleFile } from './live-outputs.js';

/**
 * Writes the files of a bundle and deletes those of earlier ones. Other files in the folder stay.
 */
export function writeBundle(out: string, files: readonly BundleFile[]): void {
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(path, contents);
  }
  if (existsSync(join(out, 'operator.mjs'))) chmodSync(join(out, 'operator.mjs'), 0o755);
  const written = new Set(files.map(({ path }) => path));
  for (const name of globSync('operator/*.{mjs,mjs.map}', { cwd: out }))
    if (!written.has(join(out, name))) rmSync(join(out, name));
}
