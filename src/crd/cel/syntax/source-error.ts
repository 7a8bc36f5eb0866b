/** An error at an offset of an expression. */
export class SourceError extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

/** Formats errors as cel-go does, ordered by position. */
export function formatSourceErrors(source: string, errors: readonly SourceError[]): string {
  return [...errors]
    .sort((a, b) => a.at - b.at)
    .map((error) => formatError(source, error))
    .join('\n');
}

function formatError(source: string, { at, message }: SourceError): string {
  const before = source.slice(0, at);
  const line = before.split('\n').length;
  const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length;
  const snippet = Array.from((source.split('\n')[line - 1] ?? '').replaceAll('\t', ' '));
  const isWide = (character: string | undefined): boolean => character !== undefined && character > '\x7f';
  const dots = Array.from({ length: Math.min(column, snippet.length) }, (_, index) =>
    isWide(snippet[index]) ? '\uff0e' : '.',
  );
  const mark = isWide(snippet[column]) ? '\uff3e' : '^';
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${snippet.join('')}\n | ${dots.join('')}${mark}`;
}
