import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  duplicateNames,
  violationsInDocument,
  violationsInGolden,
  violationsInSource,
  type LanguageViolation,
} from './language.ts';

/** The violations that still exist, by folder, and the names that still exist twice. Both may only shrink. */
export interface LanguageBudget {
  readonly violations: Readonly<Record<string, number>>;
  readonly duplicateNames: readonly string[];
}

export interface LanguageResult {
  readonly isOk: boolean;
  readonly output: string;
  readonly note: string;
  /** The budget that the tree needs today. */
  readonly needed: LanguageBudget;
}

const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/*.md', 'test/README.md'];

/** Checks the language of the repository and the names of its exported classes and functions. */
export function checkLanguage(root: string, budget: LanguageBudget): LanguageResult {
  const read = (patterns: readonly string[]): Map<string, string> => {
    const paths = globSync([...patterns], { cwd: root }).sort();
    return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  };
  const sources = read(['src/**/*.ts', 'operators/**/*.ts']);
  const violations = [
    ...[...sources].flatMap(([path, text]) => violationsInSource(path, text)),
    ...[...read(DOCUMENTS)].flatMap(([path, text]) => violationsInDocument(path, text)),
    ...[...read(['test/errors/**/*.txt'])].flatMap(([path, text]) => violationsInGolden(path, text)),
  ];
  const byFolder = Map.groupBy(violations, ({ path }) => folderOf(path));
  const duplicates = duplicateNames(sources);
  const lines = [...byFolder].flatMap(([folder, found]) => excess(folder, found, budget.violations[folder] ?? 0));
  for (const [name, paths] of duplicates) {
    if (!budget.duplicateNames.includes(name)) lines.push(`${name} is exported by several files: ${paths.join(', ')}`);
  }
  return {
    isOk: lines.length === 0,
    output: lines.join('\n'),
    note: `${violations.length} violations and ${duplicates.size} duplicate names left`,
    needed: {
      violations: Object.fromEntries([...byFolder].map(([folder, found]) => [folder, found.length])),
      duplicateNames: [...duplicates.keys()].sort(),
    },
  };
}

/** `src/api` for its files, `src` for its entry points, `operators`, `docs` for every document, `test/errors`. */
function folderOf(path: string): string {
  if (path.endsWith('.md')) return 'docs';
  const [top = '', folder = ''] = path.split('/');
  if (top === 'operators' || folder.includes('.')) return top;
  return `${top}/${folder}`;
}

function excess(folder: string, found: readonly LanguageViolation[], allowed: number): string[] {
  if (found.length <= allowed) return [];
  const list = found.map(({ path, line, match }) => `  ${path}:${line} "${match}"`);
  return [`${folder}: ${found.length} violations of the language rules, ${allowed} allowed:`, ...list];
}
