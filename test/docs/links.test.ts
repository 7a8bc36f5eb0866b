import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PAGES } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const { files, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly files: readonly string[];
  readonly repository: { readonly url: string };
};
const packed = PAGES;
const pages = [...packed, 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'bench/README.md'];
const read = (path: string): string => readFileSync(join(root, path), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

function linksOf(page: string): string[] {
  return [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

/** The anchors of a page, as GitHub derives them from its headings. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(pages)('the links of %s', (page) => {
  const relativeLinks = linksOf(page).filter((link) => !link.includes(':'));
  const targets = relativeLinks.map((link) => {
    const [path = '', anchor] = link.split('#');
    return { link, anchor, path: path === '' ? page : relative(root, join(root, dirname(page), path)) };
  });

  test('links of the docs lead to files and headings', () => {
    const broken = targets.filter(
      ({ path, anchor }) =>
        !existsSync(join(root, path)) || (anchor !== undefined && !anchorsOf(path).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });

  test('links of pages in the package stay in the package', () => {
    const isPacked = (path: string): boolean => files.some((each) => path === each || path.startsWith(`${each}/`));
    const missing = targets.filter(({ path }) => path !== 'README.md' && path !== 'LICENSE' && !isPacked(path));
    expect(packed.includes(page) ? missing : []).toEqual([]);
  });

  test('links to the repository lead to existing files', () => {
    const blob = `${repository.url.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/main/`;
    const paths = linksOf(page).filter((link) => link.startsWith(blob));
    expect(paths.filter((link) => !existsSync(join(root, link.slice(blob.length))))).toEqual([]);
  });
});
