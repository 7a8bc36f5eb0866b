import { globSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { OperatorError } from '../base/operator-error.js';
import { displayPath } from '../base/display-path.js';
import { nearest } from '../base/nearest.js';

export const DEFAULT_PATTERN = 'operators/**/*.ts';

/** A file to load. */
export interface FoundFile {
  readonly path: string;
  /** True if it was passed by name, not matched by a pattern. */
  readonly isNamed: boolean;
}

/**
 * The files that names, folders and globs match, each once, in the given order and by name within a pattern.
 *
 * Patterns do not match declarations, tests and node_modules.
 * @throws OperatorError when a name or pattern matches no file
 */
export function findFiles(patterns: readonly string[], cwd: string): FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const pattern of patterns) {
    for (const file of filesOf(pattern, cwd)) if (!found.has(file.path)) found.set(file.path, file);
  }
  return [...found.values()];
}

/** The files of patterns as `findFiles` returns them; without patterns, those of operators in the usual folder. */
export function sourceFiles(patterns: readonly string[], cwd: string): FoundFile[] {
  return findFiles(patterns.length > 0 ? patterns : [DEFAULT_PATTERN], cwd);
}

function filesOf(pattern: string, cwd: string): FoundFile[] {
  const path = resolve(cwd, pattern);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return matching(join(pattern, '**/*.ts'), cwd);
  if (stats) return [{ path, isNamed: true }];
  if (/[*?[{]/.test(pattern)) return matching(pattern, cwd);
  throw missingFile(pattern, path);
}

function matching(pattern: string, cwd: string): FoundFile[] {
  const paths = globSync(pattern, { cwd, exclude: (path) => basename(path) === 'node_modules' });
  const files = paths.filter(isSource).sort();
  if (files.length > 0) return files.map((file) => ({ path: resolve(cwd, file), isNamed: false }));
  throw new OperatorError(`no file matches ${pattern} in ${cwd}`, {
    code: 'E_NO_FILE',
    hint: 'pass the files of your operators, e.g. run-operator operators/podset.ts',
  });
}

function isSource(path: string): boolean {
  return /\.m?[jt]s$/.test(path) && !/\.(d|test|spec)\.m?[jt]s$/.test(path);
}

function missingFile(pattern: string, path: string): OperatorError {
  const folder = dirname(path);
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).filter(isSource) : [];
  const similar = nearest(basename(path), names);
  const there =
    names.length === 0 ? 'the folder has no source files' : `files in the folder: ${names.sort().join(', ')}`;
  return new OperatorError(`${pattern} does not exist`, {
    code: 'E_NO_FILE',
    hint: similar === undefined ? there : `did you mean ${displayPath(join(folder, similar))}?`,
  });
}
