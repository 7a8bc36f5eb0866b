import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The pages of docs, without the reference that the build of the site generates. */
export const DOCS: readonly string[] = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/api/**'] }).sort();

/** The README and the pages of docs. */
export const PAGES: readonly string[] = ['README.md', ...DOCS];

/** A fenced block of a page, without the indentation of a list that contains it. */
export interface DocBlock {
  readonly page: string;
  /** Of the fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** Of `no-run="…"` after the language: why no test executes the block. Markdown renderers ignore it. */
  readonly reason: string | undefined;
  readonly code: string;
}

const FENCE = /^( *)```(\S*)(?: no-run="([^"]*)")?\n([\s\S]*?)^\1```$/gm;

export function blocksOf(page: string): DocBlock[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(FENCE)].map(({ index, 1: indent = '', 2: language = '', 3: reason, 4: code = '' }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    reason,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Returns whether a block of TypeScript or JavaScript is a whole module. */
export function isModule({ code }: DocBlock): boolean {
  return /^(import|export) /.test(code);
}

/** The code of a page: fences of the language that are whole modules. */
export function modulesOf(page: string, language = 'ts'): string[] {
  const blocks = blocksOf(page).filter((block) => block.language === language && isModule(block));
  return blocks.map(({ code }) => code);
}

/** The one module of the page that contains the text. */
export function moduleWith(page: string, text: string, language = 'ts'): string {
  const found = modulesOf(page, language).filter((code) => code.includes(text));
  if (found.length !== 1) throw new Error(`${String(found.length)} modules of ${page} contain ${text}`);
  return found[0] ?? '';
}

/** The number of lines of a source, each import statement being one: how it is wrapped depends on the formatter. */
export function lineCount(source: string): number {
  const text = source.trimEnd().replace(/^import \{[^}]*\}/gm, 'import {}');
  return text.split('\n').length;
}
