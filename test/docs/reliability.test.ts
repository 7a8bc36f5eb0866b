import { expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOT_INJECTED } from '../faults/known-failures.js';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs/reliability.md'), 'utf8');

/** The rows of the tables whose header contains the cell, without header and separator. */
function rowsWith(header: string): string[] {
  const tables = page.match(/(?:^\|.*\n)+/gm) ?? [];
  const found = tables.filter((table) => new RegExp(`^\\|.*\\| ${header} +\\|\\n`).test(table));
  return found.flatMap((table) => table.trimEnd().split('\n').slice(2));
}

test('every guarantee and fault of docs/reliability.md names a test', () => {
  const rows = rowsWith('test');
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((row) => !/`[^`]+\.ts` +\|$/.test(row))).toEqual([]);
});

test('every test that docs/reliability.md names exists', () => {
  const paths = [...page.matchAll(/`([^`\s]+\/[^`\s]+\.ts)`/g)].map(([, path = '']) => path);
  expect(paths.filter((path) => !existsSync(join(root, 'test', path)))).toEqual([]);
});

test('docs/reliability.md lists the rows of the fault table', () => {
  const sources = globSync('test/faults/rows/*.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const ids = sources.flatMap((text) => [...text.matchAll(/\bid: ['`](F\d+)/gm)].map(([, id = '']) => id));
  const listed = rowsWith('faults').flatMap((row) => row.match(/\bF\d+\b/g) ?? []);
  expect(listed.length).toBeGreaterThan(20);
  expect(new Set(listed)).toEqual(new Set(ids));
});

test('each fault of the catalog has a row, a test elsewhere, or a reason why it is not injected', () => {
  const elsewhere = page.match(/^\| F.*\.ts` +\|$/gm) ?? [];
  const listed = [...rowsWith('faults'), ...elsewhere].flatMap((row) => row.match(/\bF\d+\b/g) ?? []);
  const catalog = Array.from({ length: 107 }, (_, index) => `F${index + 1}`);
  const known = new Set([...listed, ...Object.keys(NOT_INJECTED)]);
  expect(catalog.filter((id) => !known.has(id))).toEqual([]);
  expect(Object.keys(NOT_INJECTED).filter((id) => listed.includes(id))).toEqual([]);
});
