import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiSidebar, writeApiReference } from '../../site/api-reference.js';
import { type ExportedItem, exportedItems } from '../../site/exported-api.js';
import { fileOf } from '../../site/site-texts.js';

const docs = join(import.meta.dirname, '..', '..', 'docs');
let folder: string;
let items: readonly ExportedItem[];
const pages = new Map<string, string>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'api-reference-'));
  cpSync(docs, folder, { recursive: true, filter: (path) => path !== join(docs, 'api') });
  items = exportedItems();
  writeApiReference(folder, items);
  for (const name of readdirSync(join(folder, 'api'))) pages.set(name, readFileSync(join(folder, 'api', name), 'utf8'));
}, 120_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the API reference of the site', () => {
  test('each export has a doc comment, except the kinds of Kubernetes', () => {
    expect(items.length).toBeGreaterThan(300);
    const missing = items.filter(({ description, file }) => description === '' && file !== 'src/api/kinds/kinds.ts');
    expect(missing.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
  });

  test('each export has a declaration without bodies and private members', () => {
    const incomplete = items.filter(({ code }) => code === '' || /^\s+private [a-z]+[;(:]|\breturn\b.*;$/m.test(code));
    expect(incomplete.map(({ name }) => name)).toEqual([]);
  });

  test('each section has a link to an example, or to the exports that use it', () => {
    const sections = [...pages].flatMap(([page, text]) =>
      text
        .split(/^## /m)
        .slice(1)
        .map((section) => ({ page, section })),
    );
    const missing = sections.filter(({ section }) => !/^(?:Examples|Used by|See): \[/m.test(section));
    expect(missing.map(({ page, section }) => `${page}: ${section.split('\n', 1)[0] ?? ''}`)).toEqual([]);
  });

  test('each link leads to a page and a section', () => {
    const anchors = (page: string) =>
      [...(pages.get(page) ?? '').matchAll(/^## (.*)$/gm)].map(([, name = '']) => name.toLowerCase());
    const links = [...pages.values()].flatMap((text) => [...text.matchAll(/\]\((\w+\.md)(?:#([^)]+))?\)/g)]);
    const broken = links.filter(
      ([, page = '', anchor]) => !pages.has(page) || (anchor && !anchors(page).includes(anchor)),
    );
    expect(links.length).toBeGreaterThan(300);
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test('the sidebar lists each page', () => {
    const listed = apiSidebar.items.map(({ link }) => fileOf(link).replace('api/', ''));
    expect(listed.toSorted()).toEqual([...pages.keys()].toSorted());
  });
});
