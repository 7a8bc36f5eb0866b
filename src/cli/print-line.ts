import { printableText } from '../base/printable-text.js';

/** Prints a line, or several, to standard output. */
export function printLine(line: string): void {
  process.stdout.write(`${printableText(line)}\n`);
}

/** Prints a warning to standard error. */
export function printWarning(warning: string): void {
  process.stderr.write(`warning: ${printableText(warning)}\n`);
}
