import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, type DocBlock } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');

export interface FileStep {
  readonly place: string;
  readonly file: string;
  readonly content: string;
}

export interface CommandStep {
  readonly place: string;
  readonly command: string;
  /** Of `console` blocks; `…` stands for anything. */
  readonly output?: string;
}

/** What a reader of a page does: saves a file, or enters a command in a terminal. */
export type PageStep = FileStep | CommandStep;

/** The line before the block of a file ends with its path. */
const PATH = /`([\w./-]+)`:$/;

/**
 * Returns the steps of a page, in its order: a block after a line that ends with "`path`:" is a file, `sh` is commands, and
 * `console` commands with their output. Other blocks are left out, and those that the page marks with `no-run`.
 */
export function stepsOf(page: string): PageStep[] {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  return blocksOf(page).flatMap((block): PageStep[] => {
    if (block.reason !== undefined) return [];
    const place = `${page}:${String(block.line)}`;
    const before = lines.slice(0, block.line - 1).findLast((line) => line.trim() !== '') ?? '';
    const [, file] = PATH.exec(before) ?? [];
    if (file !== undefined) return [{ place, file, content: block.code }];
    return commandsOf(block).map((command) => ({ place, ...command }));
  });
}

function commandsOf({ language, code }: DocBlock): Omit<CommandStep, 'place'>[] {
  const parts = language === 'console' ? code.split(/^\$ /m).slice(1) : [];
  const lines = language === 'sh' ? code.trim().split('\n') : [];
  return [
    ...lines.map((command) => ({ command })),
    ...parts.map((part) => {
      const [command = '', ...output] = part.split('\n');
      return { command, output: output.join('\n').trim() };
    }),
  ];
}
