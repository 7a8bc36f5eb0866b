// Writes the table of the flags of run-operator in docs/cli.md: npm run generate:flags.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { flagTable, withFlagTable } from './flag-table.ts';

const root = join(import.meta.dirname, '..', '..');
const page = join(root, 'docs', 'cli.md');
const bin = join(root, 'dist', 'cli', 'bin', 'run-operator.js');
const help = execFileSync(process.execPath, [bin, '--help'], { encoding: 'utf8' });
const text = withFlagTable(readFileSync(page, 'utf8'), 'run-operator', flagTable(help));
writeFileSync(page, await format(text, { parser: 'markdown', printWidth: 120, singleQuote: true }));
