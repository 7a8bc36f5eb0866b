import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'comparison.md'), 'utf8');
const [, , ...rows] = page
  .slice(page.indexOf('| feature'))
  .split('\n')
  .filter((line) => line.startsWith('|'));

test.each(rows.map((row) => row.split(' | ').map((cell) => cell.replaceAll(/^[| ]+|[| ]+$/g, ''))))(
  'the comparison of %s names code and a test that exist',
  (...cells) => {
    expect(cells).toHaveLength(9);
    const [code = '', testFile = ''] = cells.slice(-2).map((cell) => cell.replaceAll('`', ''));
    expect(code).toMatch(/^src\//);
    expect(testFile).toMatch(/^test\//);
    expect([code, testFile].filter((path) => !existsSync(join(root, path)))).toEqual([]);
    // Of kindwright and five other SDKs; a mark may have a remark: `P: in code`.
    for (const mark of cells.slice(1, 7)) expect(mark).toMatch(/^([YPN](: .+)?|–)$/);
    expect(cells[1]).toBe('Y');
  },
);
