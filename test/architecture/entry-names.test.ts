import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../../src');

/** The exported names of an entry point, each with the module that declares it. */
function exportsOf(entry: string): Map<string, string> {
  const text = readFileSync(join(SRC, entry), 'utf8');
  const found = new Map<string, string>();
  for (const [, list, names = '', from = ''] of text.matchAll(/^export (?:type )?(\{([^}]*)\}|\*) from '([^']+)'/gm)) {
    const exported = list === '*' ? declaredIn(from) : names.split(',').map((name) => /(\w+)\s*$/.exec(name)?.[1]);
    for (const name of exported) if (name !== undefined) found.set(name, from);
  }
  return found;
}

function declaredIn(module: string): (string | undefined)[] {
  const text = readFileSync(join(SRC, module.replace(/\.js$/, '.ts')), 'utf8');
  return [...text.matchAll(/^export (?:abstract )?(?:class|const|function|interface|type) (\w+)/gm)].map(
    ([, name]) => name,
  );
}

test('a name has one meaning in all entry points of the package', () => {
  const kindwright = exportsOf('index.ts');
  expect(kindwright.has('Deployment')).toBe(true);
  for (const [entry, known] of [
    ['definitions.ts', 'EnvVar'],
    ['testing.ts', 'startCluster'],
    ['jest.ts', undefined],
    ['vite.ts', undefined],
  ] as const) {
    const names = exportsOf(entry);
    if (known !== undefined) expect(names.has(known)).toBe(true);
    const ambiguous = [...names].filter(([name, from]) => kindwright.has(name) && kindwright.get(name) !== from);
    expect({ entry, ambiguous }).toEqual({ entry, ambiguous: [] });
  }
});
