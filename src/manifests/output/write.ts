import { readdirSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/make-folder.js';
import { writeAtomically } from '../../base/write-atomically.js';
import type { GeneratedFile } from './generated-file.js';
import { reporting } from './output-error.js';
import { outputPath, statusOf } from './output-folder.js';

/** Paths of the generated files, written and unchanged. */
export interface WriteResult {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * Writes generated files atomically, by a temporary file and a rename.
 *
 * Nothing is written when one of them has an invalid path. Other files in the folder are not changed.
 * @throws OperatorError that names the path and the reason.
 */
export function writeManifests(files: readonly GeneratedFile[], outDir: string): WriteResult {
  const placed = files.map((file) => ({ ...file, place: outputPath(file, outDir) }));
  const written: string[] = [];
  const unchanged: string[] = [];
  for (const { path, place, ...file } of placed) {
    if (isUpToDate(file, presentContent(place))) unchanged.push(path);
    else {
      reporting(place, () => {
        makeFolder(dirname(place));
        writeAtomically(place, file.content);
      });
      written.push(path);
    }
  }
  return { written, unchanged };
}

/** Returns whether a file on disk needs no change; `present` is its content, undefined for a missing file. */
export function isUpToDate(
  { content, isCreatedOnce }: Pick<GeneratedFile, 'content' | 'isCreatedOnce'>,
  present: string | undefined,
): boolean {
  return present === content || (present !== undefined && isCreatedOnce === true);
}

/** The content of a file, with the line ends of generated files also in a checkout with CRLF; undefined for a link. */
export function presentContent(place: string): string | undefined {
  return statusOf(place)?.isFile()
    ? reporting(place, () => readFileSync(place, 'utf8').replaceAll('\r\n', '\n'))
    : undefined;
}

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
