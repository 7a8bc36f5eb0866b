import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { GeneratedFile } from './generated-file.js';
import { outputError, reporting } from './output-error.js';

/**
 * Where a generated file is to stand. Folders below `outDir` that are links must lead to places within it.
 *
 * @throws OperatorError when they do not, or when a file stands where a folder has to.
 */
export function placeOf({ path }: GeneratedFile, outDir: string): string {
  const place = join(outDir, path);
  const within = relative(outDir, place);
  if (path.includes('\0') || within === '' || within.split(sep)[0] === '..') throw leadsOut(path, outDir);
  const folders = dirname(within).split(sep);
  let folder = outDir;
  for (const step of ['.', ...folders]) checkFolder((folder = join(folder, step)), outDir);
  if (statusOf(place)?.isDirectory())
    throw outputError(`${place} is a folder, and a file has to stand there`, 'move it away');
  return place;
}

/** What stands at a path, itself rather than what it links to. */
export function statusOf(path: string): Stats | undefined {
  return reporting(path, () => lstatSync(path, { throwIfNoEntry: false }));
}

function checkFolder(folder: string, outDir: string): void {
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
    `${path} leads out of ${outDir}`,
    'nothing is written outside of the output folder: remove the link',
  );
}
