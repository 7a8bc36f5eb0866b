import { posix } from 'node:path';

/** A file with at most this many lines is small. */
export const SMALL_LINES = 40;

/** The entry points of the package: what they export is public, each declaration in a file of its own. */
const ENTRY_POINT = /^src\/[^/]+\.ts$/;

/** Matches static imports and exports, imports of types, and dynamic imports of relative modules. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)\.js'/g;

/** A small file that only one other file imports. */
export interface Fragment {
  readonly path: string;
  readonly lines: number;
  readonly importer: string;
}

/**
 * Returns the small files that exactly one other file imports, sorted by path.
 *
 * Such a file is often part of its importer, split off to meet a limit. A file that only an entry point imports is not
 * listed.
 *
 * @param sources - the text of each file of `src` by its path
 */
export function fragments(sources: ReadonlyMap<string, string>): Fragment[] {
  const importers = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const module = posix.join(posix.dirname(path), specifier);
      const target = sources.has(`${module}.tsx`) ? `${module}.tsx` : `${module}.ts`;
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return [...sources]
    .flatMap(([path, text]) => {
      const [importer, ...others] = importers.get(path) ?? [];
      const lines = text.split('\n').length - 1;
      if (importer === undefined || others.length > 0 || lines > SMALL_LINES || ENTRY_POINT.test(importer)) return [];
      return [{ path, lines, importer }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
