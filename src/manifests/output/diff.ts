import type { GeneratedFile } from './generated-file.js';
import { placeOf } from './output-folder.js';
import { unifiedDiff } from './unified-diff.js';
import { isUpToDate, presentContent } from './write.js';

/** Returns a unified diff of the changes that writing the files would make; empty without changes. */
export function diffManifests(files: readonly GeneratedFile[], outDir: string): string {
  return files
    .map((file) => {
      const present = presentContent(placeOf(file, outDir));
      if (isUpToDate(file, present)) return '';
      const from = present === undefined ? '/dev/null' : `a/${file.path}`;
      return unifiedDiff(from, `b/${file.path}`, present ?? '', file.content);
    })
    .join('');
}
