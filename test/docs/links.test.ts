import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { anchorOf } from '../../site/anchor-of.js';
import { PAGES } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const { files, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly files: readonly string[];
  readonly repository: { readonly url: string };
};
const packed = PAGES;
const pages = [...new Set([...packed, ...globSync(['*.md', '{bench,test}/*.md'], { cwd: root }).toSorted()])];
const github = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** The text of a page without code. */
function proseOf(page: string): string {
  const text = readFileSync(join(root, page), 'utf8');
  return text
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    .replaceAll(/`[^`\n]+`/g, (code) => code.replaceAll(/[[\]]/g, ''));
}

/** The targets of references, such as `[name]: https://…`. */
function definitionsOf(page: string): Map<string, string> {
  const definitions = proseOf(page).matchAll(/^\[([^\]]+)\]: (\S+)$/gm);
  return new Map([...definitions].map(([, name = '', target = '']) => [name, target]));
}

/** The targets of links and images; a title, as in `[text](page.md "title")`, is not part of them. */
function linksOf(page: string): string[] {
  const inline = [...proseOf(page).matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)].map(([, link = '']) => link);
  return [...inline, ...definitionsOf(page).values()];
}

/** The anchors of a page, as GitHub derives them from its headings: the second one of two equal headings ends with `-1`. */
function anchorsOf(page: string): string[] {
  const counts = new Map<string, number>();
  return [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = anchorOf(heading);
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${String(count)}`;
  });
}

/** Returns why a path of the repository, with an anchor or a range of lines, leads nowhere; undefined if it does. */
function problemOf(path: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(root, path))) return `${path} does not exist`;
  if (anchor === undefined) return undefined;
  const [, line] = /^L(\d+)/.exec(anchor) ?? [];
  if (line === undefined) return anchorsOf(path).includes(anchor) ? undefined : `${path} has no section ${anchor}`;
  const { length } = readFileSync(join(root, path), 'utf8').split('\n');
  return Number(line) <= length ? undefined : `${path} has no line ${line}`;
}

describe.each(pages)('the links of %s', (page) => {
  const links = linksOf(page);
  const targets = links
    .filter((link) => !/^\w+:/.test(link))
    .map((link) => {
      const [path = '', anchor] = link.split('#');
      return { anchor, path: path === '' ? page : relative(root, join(root, dirname(page), path)) };
    });

  test('links of the docs lead to files and headings', () => {
    expect(targets.map(({ path, anchor }) => problemOf(path, anchor)).filter(Boolean)).toEqual([]);
  });

  test('links of pages in the package stay in the package', () => {
    const isPacked = (path: string): boolean => files.some((each) => path === each || path.startsWith(`${each}/`));
    const missing = targets.filter(({ path }) => path !== 'README.md' && path !== 'LICENSE' && !isPacked(path));
    expect(packed.includes(page) ? missing : []).toEqual([]);
  });

  test('links to the repository lead to existing files and headings', () => {
    const paths = links.flatMap((link) => (link.startsWith(`${github}/`) ? [link.slice(github.length + 1)] : []));
    const problems = paths.map((path) => {
      const [, file, anchor] = /^(?:blob|tree)\/main\/([^#]+)(?:#(.*))?$/.exec(path) ?? [];
      return file === undefined ? undefined : problemOf(file, anchor);
    });
    expect(problems.filter(Boolean)).toEqual([]);
  });

  test('other links use https', () => {
    expect(links.filter((link) => /^(?!https:|mailto:)\w+:/.test(link))).toEqual([]);
  });

  test('each reference has a definition, and each definition a reference', () => {
    const prose = proseOf(page);
    const defined = [...definitionsOf(page).keys()];
    const used = [...prose.matchAll(/\[[^\]]+\]\[([^\]]+)\]/g)].map(([, name = '']) => name);
    expect(used.filter((name) => !defined.includes(name))).toEqual([]);
    const isUsed = (name: string): boolean => prose.replaceAll(/^\[[^\]]+\]: .*$/gm, '').includes(`[${name}]`);
    expect(defined.filter((name) => !isUsed(name))).toEqual([]);
  });
});

test('the sources name existing pages and sections of the docs', () => {
  const sources = globSync(['src/**/*.{ts,tsx}', 'operators/*.ts', 'docs/examples/*.ts'], { cwd: root });
  const named = sources.flatMap((source) => {
    const text = readFileSync(join(root, source), 'utf8');
    const found = [...text.matchAll(/(?:"([^"\n]+)" in |\b)(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)];
    return found.map(([, section, page = '', anchor]) => ({ page, anchor: section ? anchorOf(section) : anchor }));
  });
  expect(named.length).toBeGreaterThan(5);
  expect(named.map(({ page, anchor }) => problemOf(page, anchor)).filter(Boolean)).toEqual([]);
});
