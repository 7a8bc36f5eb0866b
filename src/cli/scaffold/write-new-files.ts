import { join } from 'node:path';
import { OperatorError } from '../../base/operator-error.js';
import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { outputPath } from '../../manifests/output/output-folder.js';
import { presentContent, writeManifests } from '../../manifests/output/write.js';
import { displayPath } from '../../base/display-path.js';

/** Options for writing new files. */
export interface NewFileOptions {
  /** If set, existing files that differ are overwritten. */
  readonly force?: boolean;
  /** If set, the changes are printed and nothing is written. */
  readonly dryRun?: boolean;
}

/**
 * Writes files that users edit, and prints their names.
 *
 * @throws OperatorError, before anything is written, when one exists with different content
 */
export function writeNewFiles(
  files: readonly GeneratedFile[],
  folder: string,
  { force = false, dryRun = false }: NewFileOptions,
): void {
  const present = files.filter((file) => isOther(presentContent(outputPath(file, folder)), file.content));
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
  const what = others.length === 0 ? `${first} already exists` : `${paths.join(', ')} already exist`;
  return new OperatorError(`${what}; nothing was written`, {
    code: 'E_EXISTS',
    hint: 'list the files with --dry-run, or overwrite them with --force',
  });
}
