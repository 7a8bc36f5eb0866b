import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  usageViolations,
  duplicateNames,
  misnamedFunctions,
  violationsInDocument,
  violationsInGolden,
  violationsInSource,
  violationsInTest,
} from './language.ts';

const DOCUMENTS = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...['docs/**/*.md', 'test/README.md', 'bench/*.md'],
];

/**
 * Files without a check of usage: fixtures, the tests of this check, and the embedded server with its conformance suites, which
 * run for an hour after each change, even of a comment.
 */
const UNCHECKED = /\/fixtures\/|^test\/(?:architecture|conformance|controlplane)\/|^src\/(?:apiserver|crd|pki)\//;

/** Names that may be declared twice: options of the same call of `ctx` and of `Client`, and terms of two domains. */
const SHARED_NAMES = [
  ...['ApplyOptions', 'CallOptions', 'DeleteOptions', 'GetOptions', 'ListOptions', 'PatchOptions', 'RetryOptions'],
  ...['Call', 'Definition', 'FieldPath', 'Secret'],
];

/** Checks the language of the repository and the names of its exported declarations. */
export function checkLanguage(root: string): { readonly isOk: boolean; readonly output: string } {
  const read = (patterns: readonly string[]): Map<string, string> => {
    const paths = globSync([...patterns], { cwd: root, exclude: ['docs/api/**'] }).sort();
    return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  };
  const tests = read(['{test,bench}/**/*.ts']);
  const sources = read(['src/**/*.{ts,tsx}', 'operators/**/*.ts']);
  const violations = [
    ...[...sources].flatMap(([path, text]) => violationsInSource(path, text)),
    ...[...sources, ...tests].flatMap(([path, text]) => (UNCHECKED.test(path) ? [] : usageViolations(path, text))),
    ...[...tests].flatMap(([path, text]) => (UNCHECKED.test(path) ? [] : violationsInTest(path, text))),
    ...[...sources].flatMap(([path, text]) => misnamedFunctions(path, text)),
    ...[...read(DOCUMENTS)].flatMap(([path, text]) => violationsInDocument(path, text)),
    ...[...read(['test/errors/**/*.txt'])].flatMap(([path, text]) => violationsInGolden(path, text)),
  ];
  const lines = violations.map(({ path, line, match }) => `${path}:${line} "${match}"`);
  for (const [name, paths] of duplicateNames(sources)) {
    if (!SHARED_NAMES.includes(name)) lines.push(`${name} is exported by several files: ${paths.join(', ')}`);
  }
  return { isOk: lines.length === 0, output: lines.join('\n') };
}
