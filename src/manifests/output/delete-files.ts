import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reporting } from './output-error.js';

/** Deletes files of an output folder, and the folders below it that become empty. */
export function deleteFiles(paths: readonly string[], outDir: string): void {
  for (const path of paths) {
    const place = join(outDir, path);
    reporting(place, () => {
      unlinkSync(place);
      for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
        if (readdirSync(join(outDir, folder)).length > 0) break;
        rmdirSync(join(outDir, folder));
      }
    });
  }
}
