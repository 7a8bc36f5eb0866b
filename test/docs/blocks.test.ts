import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNoCode, testOf } from './block-tests.js';
import { blocksOf, PAGES } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const code = PAGES.flatMap(blocksOf).filter((block) => !isNoCode(block));
const placeOf = ({ page, line }: { page: string; line: number }): string => `${page}:${String(line)}`;

describe('the code blocks of the README and of docs', () => {
  test('a test executes each block, or its fence states why none does', () => {
    expect(code.length).toBeGreaterThan(90);
    const missing = code.filter((block) => block.reason === undefined && testOf(block) === undefined);
    expect(missing.map(placeOf)).toEqual([]);
  });

  test.each(PAGES)('each fence of %s has the form of a block', (page) => {
    const fences = readFileSync(join(root, page), 'utf8').match(/^ *```/gm) ?? [];
    expect(fences.length).toBe(2 * blocksOf(page).length);
  });

  test('the tests of blocks exist', () => {
    const paths = new Set(code.flatMap((block) => testOf(block) ?? []));
    expect([...paths].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('each reason is a phrase', () => {
    const reasons = code.filter(({ reason }) => reason !== undefined);
    expect(reasons.filter(({ reason = '' }) => reason.split(' ').length < 3).map(placeOf)).toEqual([]);
  });
});
