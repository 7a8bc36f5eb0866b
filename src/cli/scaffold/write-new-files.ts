import { join } from 'node:path';
import { OperatorError } from '../../base/operator-error.js';
import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { placeOf } from '../../manifests/output/output-folder.js';
import { presentContent, writeManifests } from '../../manifests/output/write.js';
import { displayPath } from '../../base/display-path.js';

/** How new files are written. */
export interface NewFileOptions {
  /** Whether files that are there, and differ, are replaced. */
  readonly force?: boolean;
  /** Whether only to say what would be written. */
  readonly dryRun?: boolean;
}

/**
 * Writes files that a person will edit, and says which.
 *
 * @throws OperatorError, before anything is written, when one is there already with another content
 */
export function writeNewFiles(
  files: readonly GeneratedFile[],
  folder: string,
  { force = false, dryRun = false }: NewFileOptions,
): void {
  const present = files.filter((file) => isOther(presentContent(placeOf(file, folder)), file.content));
  if (present.length > 0 && !force) throw wouldOverwrite(present.map(({ path }) => displayPath(join(folder, path))));
  const written = dryRun ? files.map(({ path }) => path) : writeManifests(files, folder).written;
  for (const path of written)
    process.stdout.write(`${dryRun ? 'would write' : 'wrote'} ${displayPath(join(folder, path))}\n`);
}

function isOther(present: string | undefined, content: string): boolean {
  return present !== undefined && present !== content;
}

function wouldOverwrite(paths: readonly string[]): OperatorError {
  const [first = '', ...others] = paths;
  const what = others.length === 0 ? `${first} is there already` : `${paths.join(', ')} are there already`;
  return new OperatorError(`${what}; nothing was written`, {
    code: 'E_EXISTS',
    hint: 'see what would be written with --dry-run; replace what is there with --force',
  });
}
