import { parseDeepJson } from './parse-deep-json.js';

/** The minimum number of digits of an integer that a double may not represent exactly. */
const LONG = 16;
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
 * Compared to JSON.parse, every sixteenth character is inspected once more; the slow path is taken only for texts with
 * a long integer.
 */
export function parseJson(text: string): unknown {
  if (!hasLongDigits(text) || !LONG_INTEGER.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
      const source = context?.source;
      if (typeof value !== 'number' || source === undefined || source === String(value)) return value;
      return /^-?\d+$/.test(source) ? BigInt(source) : value;
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return parseDeepJson(text);
  }
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
