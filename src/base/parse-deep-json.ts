import { randomUUID } from 'node:crypto';
import { setMember } from './set-member.js';

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const INTEGER = /^-?\d+$/;

/**
 * Parses JSON and keeps every integer exact, at any depth.
 *
 * A reviver of JSON.parse is called recursively, which overflows the stack at about 3,000 levels; the API server accepts
 * 10,000. Without a reviver, JSON.parse is iterative. Therefore long integers become strings first, which are replaced
 * in the result. This takes several times as long as a reviver.
 */
export function parseDeepJson(text: string): unknown {
  // Random, so that no string of the text can be mistaken for an integer.
  const mark = randomUUID();
  const root: Record<string, unknown> = { value: JSON.parse(quoteIntegers(text, mark)) };
  restoreIntegers(root, mark);
  return root['value'];
}

/** Replaces each integer that a double does not represent by a string: the mark and the digits. */
function quoteIntegers(text: string, mark: string): string {
  let result = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') at = endOfString(text, at);
    else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at;
      const source = NUMBER.exec(text)?.[0] ?? char;
      if (INTEGER.test(source) && String(Number(source)) !== source) {
        result += `${text.slice(copied, at)}"${mark}${source}"`;
        copied = at + source.length;
      }
      at += source.length - 1;
    }
  }
  return result + text.slice(copied);
}

/** Returns the index of the closing quote; or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '"') return at;
  }
  return text.length;
}

function restoreIntegers(root: object, mark: string): void {
  const pending: object[] = [root];
  for (let container = pending.pop(); container; container = pending.pop()) {
    for (const [key, member] of Object.entries(container) as [string, unknown][]) {
      if (typeof member === 'object' && member !== null) pending.push(member);
      else if (typeof member === 'string' && member.startsWith(mark))
        setMember(container as Record<string, unknown>, key, BigInt(member.slice(mark.length)));
    }
  }
}
