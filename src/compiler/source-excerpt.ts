/** A position in a source file; lines and columns count from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Returns the line and column of an offset in UTF-16 units. */
export function positionAt(source: string, offset: number): SourcePosition {
  const before = source.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Returns the line at a position with a caret under the column. */
export function sourceExcerpt(source: string, { line, column }: SourcePosition): string {
  const text = source.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1] ?? '';
  const number = String(line);
  const indent = text.slice(0, column - 1).replaceAll(/[^\t]/g, ' ');
  return `  ${number} | ${text}\n  ${' '.repeat(number.length)} | ${indent}^`;
}
