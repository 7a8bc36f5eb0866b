import { ownMember } from '../../../base/own-member.js';
import { NAMED_ESCAPES } from '../../../base/go-quoted.js';
import { compilePattern } from '../../../base/pattern.js';
import { CelError, type CelList } from '../values/cel-value.js';
import { formatString } from './format-string.js';
import type { CelFunction } from './cel-function.js';

/** Indexes count characters, not UTF-16 units. */
const letters = (text: string): string[] => Array.from(text);

function place(at: bigint, max: number): number {
  if (at < 0n || at > BigInt(max)) throw new CelError(`index out of range: ${at}`);
  return Number(at);
}

function charAt(text: string, at: bigint): string {
  const all = letters(text);
  return all[place(at, all.length)] ?? '';
}

function indexOf(text: string, part: string, from = 0n): bigint {
  const [all, wanted] = [letters(text), letters(part)];
  if (part === '') return from;
  if (from < 0n) throw new CelError(`index out of range: ${from}`);
  const start = Number(from);
  for (let at = start; at + wanted.length <= all.length; at++) if (isAt(all, wanted, at)) return BigInt(at);
  return -1n;
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const [all, wanted] = [letters(text), letters(part)];
  if (part === '') return from ?? BigInt(all.length);
  if (from !== undefined && from < 0n) throw new CelError(`index out of range: ${from}`);
  const last = from === undefined ? all.length - 1 : Number(from);
  if (last >= all.length) return -1n;
  for (let at = Math.min(last, all.length - wanted.length); at >= 0; at--) if (isAt(all, wanted, at)) return BigInt(at);
  return -1n;
}

function isAt(all: readonly string[], wanted: readonly string[], at: number): boolean {
  return wanted.every((letter, index) => all[at + index] === letter);
}

function substring(text: string, from: bigint, to?: bigint): string {
  const all = letters(text);
  if (to !== undefined && from > to) throw new CelError(`invalid substring range. start: ${from}, end: ${to}`);
  const start = place(from, all.length);
  return all.slice(start, to === undefined ? all.length : place(to, all.length)).join('');
}

function replace(text: string, old: string, fresh: string, limit = -1n): string {
  const parts = old === '' ? ['', ...letters(text), ''] : text.split(old);
  const count = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  const head = parts.slice(0, count + 1).join(fresh);
  return [head, ...parts.slice(count + 1)].join(old);
}

function split(text: string, separator: string, limit = -1n): CelList {
  const parts = separator === '' ? letters(text) : text.split(separator);
  if (limit < 0n || Number(limit) >= parts.length) return parts;
  const count = Number(limit);
  return count === 0 ? [] : [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function matches(text: string, pattern: string): boolean {
  try {
    return compilePattern(pattern).matcher(text).find();
  } catch (error) {
    throw new CelError(error instanceof Error ? error.message : String(error));
  }
}

function findAll(text: string, pattern: string, limit = -1n): string[] {
  const matcher = compilePattern(pattern).matcher(text);
  const found: string[] = [];
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

function quote(text: string): string {
  return `"${letters(text)
    .map((letter) => ownMember(NAMED_ESCAPES, letter) ?? letter)
    .join('')}"`;
}

export const STRING_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  size_string: (text: string) => BigInt(letters(text).length),
  string_size: (text: string) => BigInt(letters(text).length),
  size_bytes: (bytes: Uint8Array) => BigInt(bytes.length),
  bytes_size: (bytes: Uint8Array) => BigInt(bytes.length),
  contains_string: (text: string, part: string) => text.includes(part),
  starts_with_string: (text: string, part: string) => text.startsWith(part),
  ends_with_string: (text: string, part: string) => text.endsWith(part),
  matches,
  matches_string: matches,
  string_find_string: (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? '',
  string_find_all_string: findAll,
  string_find_all_string_int: findAll,
  string_char_at_int: charAt,
  string_index_of_string: indexOf,
  string_index_of_string_int: indexOf,
  string_last_index_of_string: lastIndexOf,
  string_last_index_of_string_int: lastIndexOf,
  string_lower_ascii: lowerAscii,
  string_upper_ascii: upperAscii,
  string_trim: (text: string) => text.replaceAll(/^[\s\u0085]+|[\s\u0085]+$/g, ''),
  string_replace_string_string: replace,
  string_replace_string_string_int: replace,
  string_split_string: split,
  string_split_string_int: split,
  string_substring_int: substring,
  string_substring_int_int: substring,
  string_format: formatString,
  strings_quote: quote,
  list_join: (texts: CelList) => texts.map(String).join(''),
  list_join_string: (texts: CelList, separator: string) => texts.map(String).join(separator),
};
