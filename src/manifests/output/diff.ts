import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { GeneratedFile } from './generated-file.js';
import { outputPath } from './output-folder.js';
import { isUpToDate, presentContent } from './write.js';

/** Returns a unified diff of the changes that writing the files would make; empty without changes. */
export function diffManifests(files: readonly GeneratedFile[], outDir: string): string {
  return files
    .map((file) => {
      const present = presentContent(outputPath(file, outDir));
      if (isUpToDate(file, present)) return '';
      const from = present === undefined ? '/dev/null' : `a/${file.path}`;
      return unifiedDiff(from, `b/${file.path}`, present ?? '', file.content);
    })
    .join('');
}

/** The time of a comparison grows with the number of edits times the number of lines. */
const MAX_EDITS = 10_000;

/**
 * Returns the difference of two texts in the format of `diff -u`, with three lines of context; empty for equal texts.
 *
 * For texts with more than 10,000 changed lines it names the files only.
 */
export function unifiedDiff(fromName: string, toName: string, from: string, to: string): string {
  if (from === to) return '';
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, maxEditLength: MAX_EDITS };
  const patch = createTwoFilesPatch(fromName, toName, from, to, undefined, undefined, options);
  return patch ?? `Files ${fromName} and ${toName} differ in more than ${MAX_EDITS} lines\n`;
}
