import { chmodSync, copyFileSync, existsSync, renameSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomId } from '../../base/random.js';
import { displayPath } from '../../base/display-path.js';
import { makeFolder } from '../../base/make-folder.js';
import { OperatorError } from '../../base/operator-error.js';
import { thrownError } from '../../base/thrown-error.js';
import { writeAtomically } from '../../base/write-atomically.js';
import { reporting } from '../../manifests/output/output-error.js';

/** A file to write, or to delete if the content is undefined. */
export interface FileChange {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly content: string | undefined;
}

/**
 * Makes all changes, or none if one fails.
 *
 * The new contents and a copy of each former file are written to temporary files beside the files; then the files are
 * replaced by renames. A file keeps its mode. A folder that loses its last file is deleted.
 *
 * @throws OperatorError that names the file and the reason
 */
export function replaceFiles(changes: readonly FileChange[], folder: string): void {
  const suffix = `.${randomId('temporary file')}`;
  const files = changes.map(({ path, content }): ReplacedFile => {
    const place = join(folder, path);
    return {
      place,
      content,
      next: `${place}${suffix}.tmp`,
      former: `${place}${suffix}.old`,
      isPresent: existsSync(place),
    };
  });
  const created: string[] = [];
  const replaced: ReplacedFile[] = [];
  try {
    for (const file of files) inspect(file, () => prepare(file, created));
    for (const file of files) {
      inspect(file, () => replace(file));
      replaced.push(file);
    }
  } catch (error) {
    for (const file of replaced.toReversed()) restore(file, error);
    deleteTemporary(files);
    for (const path of created.toReversed()) rmdirSync(path);
    throw error;
  }
  deleteTemporary(files);
  for (const { path, content } of changes) if (content === undefined) deleteEmptyFolders(path, folder);
}

interface ReplacedFile {
  readonly place: string;
  readonly content: string | undefined;
  /** The temporary file with the new content. */
  readonly next: string;
  /** The copy of the present file. */
  readonly former: string;
  readonly isPresent: boolean;
}

function inspect(file: ReplacedFile, act: () => void): void {
  reporting(displayPath(file.place), act, 'no file was changed; fix the cause, then run the command again');
}

/** @param created receives the folders that are created, the outermost first */
function prepare({ place, content, next, former, isPresent }: ReplacedFile, created: string[]): void {
  if (isPresent) copyFileSync(place, former);
  if (content === undefined) return;
  const missing = missingFolders(place);
  makeFolder(dirname(place));
  created.push(...missing);
  writeAtomically(next, content);
  if (isPresent) chmodSync(next, statSync(place).mode & 0o777);
}

function missingFolders(place: string): string[] {
  const folder = dirname(place);
  return existsSync(folder) || folder === place ? [] : [...missingFolders(folder), folder];
}

function replace({ place, content, next }: ReplacedFile): void {
  if (content === undefined) unlinkSync(place);
  else renameSync(next, place);
}

function restore({ place, former, isPresent }: ReplacedFile, cause: unknown): void {
  try {
    if (isPresent) renameSync(former, place);
    else unlinkSync(place);
  } catch (error) {
    const problem = `${displayPath(place)} could not be restored after an error: ${thrownError(error).message}`;
    const hint = `the former content is in ${displayPath(former)}; the error: ${thrownError(cause).message}`;
    throw new OperatorError(problem, { code: 'E_OUTPUT', hint, cause });
  }
}

function deleteTemporary(files: readonly ReplacedFile[]): void {
  for (const path of files.flatMap(({ next, former }) => [next, former])) if (existsSync(path)) unlinkSync(path);
}

function deleteEmptyFolders(path: string, folder: string): void {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    try {
      rmdirSync(join(folder, at));
    } catch {
      return; // it contains other files
    }
  }
}
