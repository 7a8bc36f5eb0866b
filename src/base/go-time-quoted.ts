/** Formats a string as the errors of Go's package time: characters beyond ASCII byte by byte. */
export function goTimeQuoted(text: string): string {
  return `"${text.replaceAll(/["\\]|[^ -\x7f]/gu, escaped)}"`;
}

function escaped(letter: string): string {
  if (letter === '"' || letter === '\\') return `\\${letter}`;
  return Buffer.from(letter)
    .toString('hex')
    .replaceAll(/../g, String.raw`\x$&`);
}
