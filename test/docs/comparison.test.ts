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
    expect(cells[1]).toBe('Y');
  },
);

/** The sources of the columns, by the prefix of their names. */
const COLUMNS = ['cr', 'kr', 'ko', 'jo', 'kn'];
const sources = new Map(
  [...page.matchAll(/^\[([\w-]+)\]: (\S+)$/gm)].map(([, name = '', url = '']) => [name, url] as const),
);

test.each(rows.map((row) => row.split(' | ').map((cell) => cell.replaceAll(/^[| ]+|[| ]+$/g, ''))))(
  'the comparison of %s has a source for each other SDK',
  (...cells) => {
    const marks = cells.slice(2, 7);
    // A mark may have a remark: `[P][cr-config]: in code`.
    const named = marks.map((mark) => /^\[[YPN–]\]\[(\w+)(-[\w-]+)\](: .+)?$/.exec(mark)?.slice(1, 3) ?? []);
    expect(named.map(([column]) => column)).toEqual(COLUMNS);
    expect(named.map((name) => name.join('')).filter((name) => !sources.has(name))).toEqual([]);
  },
);

test('each source is a file of a project at the commit that the page names for it', () => {
  const commits = new Map(
    [...page.matchAll(/\(https:\/\/github\.com\/([\w-]+\/[\w-]+)\/tree\/([0-9a-f]{40})\)/g)].map(
      ([, repository = '', commit = '']) => [repository, commit] as const,
    ),
  );
  expect(commits.size).toBe(10);
  for (const url of sources.values()) {
    const [, repository = '', commit] =
      /^https:\/\/github\.com\/([^/]+\/[^/]+)\/blob\/([0-9a-f]{40})\/./.exec(url) ?? [];
    expect([url, commit]).toEqual([url, commits.get(repository)]);
  }
});

test('what other SDKs have and kindwright does not has sources too, and no source is without use', () => {
  const list = page
    .slice(page.indexOf('What other SDKs have'))
    .split('\n')
    .filter((line) => line.startsWith('- '));
  expect(list.length).toBeGreaterThan(10);
  for (const item of list) expect(item).toMatch(/\(\[.+\]\[[\w-]+\].*\)$/);
  const used = new Set([...page.matchAll(/\]\[([\w-]+)\]/g)].map(([, name = '']) => name));
  expect([...sources.keys()].filter((name) => !used.has(name))).toEqual([]);
  expect([...used].filter((name) => !sources.has(name))).toEqual([]);
});
