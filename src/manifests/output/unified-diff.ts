import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

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
