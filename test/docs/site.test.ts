import { expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { diagramOf } from '../../site/render-mermaid.js';
import { sidebar } from '../../site/sidebar.js';
import { fileOf, writeTexts } from '../../site/site-texts.js';
import { blocksOf, DOCS } from './doc-files.js';

const srcDir = join(import.meta.dirname, '..', '..', 'docs');
const pages = DOCS.map((page) => relative('docs', page)).filter((page) => !/^decisions\/(?!README)/.test(page));
const read = (page: string): string => readFileSync(join(srcDir, page), 'utf8');
const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => fileOf(link)));

test('the sidebar of the site lists each page once', () => {
  expect(listed.toSorted()).toEqual(pages.toSorted());
});

test('the page of each folder links to its pages and folders', () => {
  const isLinked = (page: string): boolean => {
    const folder = basename(page) === 'README.md' ? dirname(dirname(page)) : dirname(page);
    const text = read(join(folder, 'README.md'));
    const link = relative(folder, page);
    return text.includes(`(${link})`) || text.includes(`(${link}#`);
  };
  expect(pages.filter((page) => page !== 'README.md' && !isLinked(page))).toEqual([]);
});

test.each(pages)('%s has no syntax that GitHub shows as text', (page) => {
  const prose = read(page).replaceAll(/^ *```[^]*?^ *```$/gm, '');
  expect(prose.match(/^(?:---$|:::|\[\[toc\]\]|<script|@include)/gim)).toBeNull();
  expect(prose.match(/^# /gm)).toHaveLength(1);
});

test('the texts for coding assistants contain each page, and link to existing files', () => {
  const outDir = mkdtempSync(join(tmpdir(), 'site-texts-'));
  try {
    writeTexts({ srcDir, outDir, sidebar, description: 'Operators.' });
    const written = (file: string): string => readFileSync(join(outDir, file), 'utf8');
    const links = [...written('llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links).toEqual(expect.arrayContaining(listed));
    expect(links.filter((link) => !existsSync(join(outDir, link)))).toEqual([]);
    for (const page of listed) expect(written('llms-full.txt')).toContain(read(page).trim());
  } finally {
    rmSync(outDir, { recursive: true });
  }
});

test('each diagram has a text for screen readers, and is rendered without resources of other servers', () => {
  const diagrams = DOCS.flatMap(blocksOf).filter(({ language }) => language === 'mermaid');
  expect(diagrams.length).toBeGreaterThan(2);
  for (const { code } of diagrams) {
    const { title, svg } = diagramOf(code);
    expect(title).toMatch(/^The \w+/);
    expect(svg).toContain('marker-end');
    expect(svg.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|@import/);
    const labels = [...code.matchAll(/[\w )]\[([^\]]+)\]/g)].map(([, label = '']) => label);
    expect(labels.filter((label) => !svg.includes(`>${label}<`))).toEqual([]);
  }
});
