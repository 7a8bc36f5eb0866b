import { ownMember } from './own-member.js';

/** Characters that Go escapes with a backslash and a letter. */
export const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

const PRINTABLE = /^[ \p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

/** Formats a string as Go's strconv.Quote, with unprintable characters escaped. */
export function goQuoted(text: string): string {
  const inner = text.replaceAll(/["\\]|[^ -~]/gu, (letter) => ownMember(NAMED_ESCAPES, letter) ?? visible(letter));
  return `"${inner}"`;
}

function visible(letter: string): string {
  if (PRINTABLE.test(letter)) return letter;
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hexadecimal(code, 2)}`;
  return code < 0x1_0000 ? `\\u${hexadecimal(code, 4)}` : `\\U${hexadecimal(code, 8)}`;
}

function hexadecimal(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

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
