import { ownMember } from './own-member.js';
import { setMember } from './set-member.js';

/** Numbers with fewer characters, and without an exponent, are exact. */
export const LONG = 16;
/** Far more than any type of Kubernetes has. The time of BigInt grows with the square of the number of digits. */
export const MAX_DIGITS = 1_000;
const INTEGER = /^-?\d+$/;

/** An open list or object of the text. */
interface Container {
  readonly parent: Container | undefined;
  readonly isList: boolean;
  /** The index in a list; in an object, where the text has the key. */
  position: number;
  /** With the quotes. */
  keyLength: number;
  /** What was parsed from it, looked up when it is needed; null if a later duplicate of a key replaced it. */
  value: Record<string, unknown> | null | undefined;
}

/**
 * Replaces each integer that a double does not represent by a bigint.
 *
 * Only the text is scanned, and only the integers are looked up in the value: a reviver of JSON.parse takes several times as
 * long, and overflows the stack at about 3,000 levels.
 *
 * @param text - valid JSON
 * @param parsed - the result of JSON.parse
 * @throws SyntaxError for an integer of more than 1,000 digits
 */
export function withExactIntegers(text: string, parsed: unknown): unknown {
  const root = { value: parsed };
  let open: Container = { parent: undefined, isList: false, position: -1, keyLength: 0, value: root };
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = endOfString(text, at);
      if (isKey) [open.position, open.keyLength] = [at, end + 1 - at];
      isKey = false;
      at = end;
    } else if (char === '{' || char === '[') {
      open = { parent: open, isList: char === '[', position: 0, keyLength: 0, value: undefined };
      isKey = char === '{';
    } else if (char === '}' || char === ']') {
      open = open.parent ?? open;
      isKey = false;
    } else if (char === ',') {
      if (open.isList) open.position++;
      else isKey = true;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      const source = numberAt(text, at);
      if (source.length >= LONG || /e/i.test(source)) setNumber(text, open, source);
      at += source.length - 1;
    }
  }
  return root.value;
}

/** Sets a number unless a later duplicate of a key replaced it; the last of duplicates is set last. */
function setNumber(text: string, container: Container, source: string): void {
  const value = valueOf(text, container);
  if (!value) return;
  const key = keyOf(text, container);
  const current = ownMember(value, key);
  if ((typeof current === 'number' || typeof current === 'bigint') && Number(current) === Number(source))
    setMember(value, key, exact(source));
}

function exact(source: string): number | bigint {
  const value = Number(source);
  if (!INTEGER.test(source) || String(value) === source) return value;
  if (source.length <= MAX_DIGITS) return BigInt(source);
  throw new SyntaxError(`an integer has more than ${MAX_DIGITS} digits`);
}

function valueOf(text: string, container: Container): Record<string, unknown> | null {
  const unknown: Container[] = [];
  let known = container;
  while (known.value === undefined && known.parent) {
    unknown.push(known);
    known = known.parent;
  }
  for (let next = unknown.pop(); next; next = unknown.pop()) {
    const value = known.value && ownMember(known.value, keyOf(text, known));
    next.value = typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
    known = next;
  }
  return container.value ?? null;
}

function keyOf(text: string, { isList, position, keyLength, parent }: Container): string {
  if (!parent) return 'value';
  return isList ? String(position) : (JSON.parse(text.slice(position, position + keyLength)) as string);
}

function numberAt(text: string, start: number): string {
  NUMBER.lastIndex = start;
  return NUMBER.exec(text)?.[0] ?? text.charAt(start);
}

const NUMBER = /[-+.\deE]+/y;

/** Returns the index of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}
