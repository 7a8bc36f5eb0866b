import { describe, expect, test } from '@jest/globals';
import { folderCycles, type Import } from './folder-cycles.ts';

/** Returns an import for each text `from > to`. */
const imports = (...texts: string[]): Import[] =>
  texts.map((text) => {
    const [from = '', to = ''] = text.split(' > ');
    return { from, to };
  });

describe('folderCycles', () => {
  test('two folders beside each other that import each other are a cycle', () => {
    expect(folderCycles(imports('src/a/x/one.ts > src/a/y/two.ts', 'src/a/y/three.ts > src/a/x/four.ts'))).toEqual([
      'src/a: x, y',
    ]);
  });

  test('a cycle is found over several folders, and in folders of any depth', () => {
    const found = folderCycles(
      imports(
        'src/a/x/one.ts > src/a/y/deep/two.ts',
        'src/a/y/three.ts > src/a/z/four.ts',
        'src/a/z/very/deep/five.ts > src/a/x/one.ts',
        'src/a/z/six.ts > src/a/w/seven.ts',
      ),
    );
    expect(found).toEqual(['src/a: x, y, z']);
  });

  test('imports in one direction are no cycle, nor are those between a folder and the files beside it', () => {
    const allowed = imports(
      'src/a/x/one.ts > src/a/y/two.ts',
      'src/a/x/one.ts > src/a/root.ts',
      'src/a/root.ts > src/a/x/one.ts',
      'src/a/x/one.ts > src/a/x/other.ts',
    );
    expect(folderCycles(allowed)).toEqual([]);
  });

  test('each parent with a cycle is listed', () => {
    const both = ['src/a', 'src/b/c'].flatMap((parent) =>
      imports(`${parent}/x/one.ts > ${parent}/y/two.ts`, `${parent}/y/two.ts > ${parent}/x/three.ts`),
    );
    expect(folderCycles(both)).toEqual(['src/a: x, y', 'src/b/c: x, y']);
  });
});
