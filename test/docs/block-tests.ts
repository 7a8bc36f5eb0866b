import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocBlock, isModule } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Languages of diagrams, and of output such as logs and messages. */
const NO_CODE: readonly string[] = ['mermaid', 'text'];

/** Where a part of an excerpt is omitted. */
const OMISSION = '…';

const tests = globSync('test/{cluster,docs,e2e}/**/*.test.ts', { cwd: root }).map((path) => ({
  path,
  text: read(path),
}));

/** What tests run: their own lines, and the examples that they import. */
const executed = [
  ...tests.map(({ path, text }) => ({ test: path, lines: trimmedLines(text) })),
  ...globSync(['docs/examples/*', 'operators/*.ts'], { cwd: root }).flatMap((path) => {
    const isImported = new RegExp(`/${path.replace(/\.ts$/, '.js')}'`);
    const test = tests.find(({ text }) => isImported.test(text))?.path;
    return test === undefined ? [] : [{ test, lines: trimmedLines(read(path)) }];
  }),
];

/** Returns the path of the test that executes the block; undefined without a test. */
export function testOf(block: DocBlock): string | undefined {
  return testOfPage(block) ?? testOfLanguage(block);
}

/** The test that executes all blocks of a page, or those of this language. */
function testOfPage({ page, language }: DocBlock): string | undefined {
  if (page === 'docs/decorators.md') return 'test/docs/decorators.test.ts';
  if (page === 'docs/simulation.md') return 'test/docs/simulation.test.ts';
  if (page.startsWith('docs/tutorial/')) return 'test/tutorial/tutorial.test.ts';
  const isSession = language === 'console' || language === 'yaml';
  return page.startsWith('docs/coming-from/') && isSession ? 'test/e2e/sdk/coming-from.test.ts' : undefined;
}

function testOfLanguage(block: DocBlock): string | undefined {
  switch (block.language) {
    case 'console':
    case 'sh':
      return 'test/e2e/commands/documented-commands.test.ts';
    case 'json':
    case 'yaml':
      return 'test/docs/data.test.ts';
    case 'js':
    case 'ts':
      return isModule(block) ? (excerptTest(block) ?? moduleTest(block)) : excerptTest(block);
    default:
      return undefined;
  }
}

/** Returns whether the block is a diagram or output. */
export function isNoCode({ language }: DocBlock): boolean {
  return NO_CODE.includes(language);
}

function moduleTest({ code }: DocBlock): string {
  if (/from '(?:vitest|@jest\/globals|kindwright\/(?:vite|jest))/.test(code)) return 'test/package/testing.test.ts';
  return /^@(?:Kind|Controller|Admission)\(/m.test(code) ? 'test/docs/operators.test.ts' : 'test/docs/scripts.test.ts';
}

/** Returns the test whose lines, or whose example's, contain each part of the block. */
function excerptTest({ code }: DocBlock): string | undefined {
  const parts = trimmedLines(code).split(`\n${OMISSION}\n`);
  return executed.find(({ lines }) => parts.every((part) => lines.includes(`\n${part.trim()}\n`)))?.test;
}

/** The lines without indentation, between line ends. */
function trimmedLines(text: string): string {
  return `\n${text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')}\n`;
}
