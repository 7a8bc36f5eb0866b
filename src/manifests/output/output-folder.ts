import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { GeneratedFile } from './generated-file.js';
import { outputError, reporting } from './output-error.js';

/**
 * The path of a generated file. Symbolic links to folders below `outDir` must resolve to folders within it.
 *
 * @throws OperatorError when they do not, or when a file exists where a folder is required
 */
export function outputPath({ path }: GeneratedFile, outDir: string): string {
  const place = join(outDir, path);
  const within = relative(outDir, place);
  if (path.includes('\0') || within === '' || within.split(sep)[0] === '..') throw leadsOut(path, outDir);
  const folders = dirname(within).split(sep);
  let folder = outDir;
  for (const step of ['.', ...folders]) assertFolder((folder = join(folder, step)), outDir);
  if (statusOf(place)?.isDirectory())
    throw outputError(`${place} is a folder, but a file is to be written there`, 'move the folder');
  return place;
}

/** The status of a path itself, not of the target of a link; undefined when it does not exist. */
export function statusOf(path: string): Stats | undefined {
  return reporting(path, () => lstatSync(path, { throwIfNoEntry: false }));
}

function assertFolder(folder: string, outDir: string): void {
  const status = statusOf(folder);
  if (!status || status.isDirectory()) return;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw outputError(`${folder} is not a folder`, 'remove it, or choose another folder with --out');
  const real = realpathSync(folder);
  const root = realpathSync(outDir);
  if (real !== root && !real.startsWith(root + sep)) throw leadsOut(folder, outDir);
}

function leadsOut(path: string, outDir: string) {
  return outputError(
    `${path} is outside of ${outDir}`,
    'files are written only within the output folder: remove the link',
  );
}
