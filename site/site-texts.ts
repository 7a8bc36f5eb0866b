import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SidebarGroup } from './sidebar.js';

export interface TextsOptions {
  readonly srcDir: string;
  readonly outDir: string;
  readonly sidebar: readonly SidebarGroup[];
  readonly description: string;
}

/**
 * Writes the texts for coding assistants: `llms.txt`, a list of the pages, `llms-full.txt`, all pages in the order of the
 * sidebar, and the Markdown of each page beside it. See https://llmstxt.org.
 */
export function writeTexts({ srcDir, outDir, sidebar, description }: TextsOptions): void {
  const list = [`# kindwright\n\n> ${description}\n\nAll pages in one file: [llms-full.txt](llms-full.txt)\n`];
  const pages: string[] = [];
  for (const { text, items } of sidebar) {
    list.push(`## ${text}\n\n${items.map(({ text: title, link }) => `- [${title}](${fileOf(link)})`).join('\n')}\n`);
    for (const file of items.map(({ link }) => fileOf(link))) {
      const page = readFileSync(join(srcDir, file), 'utf8');
      mkdirSync(dirname(join(outDir, file)), { recursive: true });
      writeFileSync(join(outDir, file), page);
      pages.push(`<!-- ${file} -->\n\n${page}`);
    }
  }
  writeFileSync(join(outDir, 'llms.txt'), list.join('\n'));
  writeFileSync(join(outDir, 'llms-full.txt'), pages.join('\n'));
}

/** Returns the Markdown file of a link of the sidebar, relative to `docs/`. */
export function fileOf(link: string): string {
  return link.endsWith('/') ? `${link.slice(1)}README.md` : `${link.slice(1)}.md`;
}
