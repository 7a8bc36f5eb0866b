import { LONG, withExactIntegers } from './exact-integers.js';

const LONG_INTEGER = /(?:^|[:[,\s])-?\d{16,}/;

declare global {
  interface JSON {
    /** TC39 JSON.parse source text access, in Node since 21. */
    rawJSON(text: string): unknown;
  }
}

/**
 * Parses JSON and keeps every integer exact: integers that a double cannot represent become bigints.
 *
 * Compared to JSON.parse, every sixteenth character is inspected once more; a text with a long integer is scanned.
 *
 * @throws SyntaxError for invalid JSON, and for an integer of more than 1,000 digits.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return hasLongDigits(text) && LONG_INTEGER.test(text) ? withExactIntegers(text, value) : value;
}

/** Returns whether the text has 16 consecutive digits; one of them is at a multiple of 16. */
function hasLongDigits(text: string): boolean {
  for (let at = 0; at < text.length; at += LONG) {
    if (isDigit(text, at) && runAround(text, at) >= LONG) return true;
  }
  return false;
}

function runAround(text: string, at: number): number {
  let start = at;
  let end = at + 1;
  while (isDigit(text, start - 1)) start--;
  while (isDigit(text, end)) end++;
  return end - start;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** Stringifies JSON and writes bigints as integers. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError && error.message.includes('BigInt'))) throw error;
    return JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'bigint' ? JSON.rawJSON(member.toString()) : member,
    );
  }
}
