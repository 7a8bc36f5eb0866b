import { describe, expect, test } from '@jest/globals';
import { fragments, SMALL_LINES } from './granularity.ts';

const lines = (count: number): string => 'const a = 1;\n'.repeat(count);

describe('fragments', () => {
  test('a small file with one importer is a fragment', () => {
    const sources = new Map([
      ['src/a/big.ts', `import { small } from '../b/small.js';\n${lines(50)}`],
      ['src/b/small.ts', lines(SMALL_LINES)],
    ]);
    expect(fragments(sources)).toEqual([{ path: 'src/b/small.ts', lines: SMALL_LINES, importer: 'src/a/big.ts' }]);
  });

  test.each([
    ['import type { Small } from', "'./small.js'"],
    ['export * from', "'./small.js'"],
    ['await import(', "'./small.js')"],
    ['import {\n  a,\n  b,\n} from', "'./small.js'"],
  ])('an import is counted in %s', (start, end) => {
    const sources = new Map([
      ['src/a/big.ts', `${start} ${end};\n${lines(50)}`],
      ['src/a/small.ts', lines(2)],
    ]);
    expect(fragments(sources).map(({ path }) => path)).toEqual(['src/a/small.ts']);
  });

  test('a file with more lines, or with two importers, is not a fragment', () => {
    const sources = new Map([
      ['src/a/one.ts', "import './large.js';\nimport './shared.js';\n"],
      ['src/a/two.ts', "import './shared.js';\n"],
      ['src/a/large.ts', lines(SMALL_LINES + 1)],
      ['src/a/shared.ts', lines(1)],
    ]);
    expect(fragments(sources)).toEqual([]);
  });

  test('a file that only an entry point imports is not a fragment', () => {
    const sources = new Map([
      ['src/index.ts', "export { Kind } from './resource/kind.js';\n"],
      ['src/resource/kind.ts', lines(3)],
    ]);
    expect(fragments(sources)).toEqual([]);
  });
});
