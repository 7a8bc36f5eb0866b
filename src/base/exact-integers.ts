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
  /** The parsed value, looked up when it is needed; null if a later duplicate of a key replaced it. */
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
  return new Scan(text, parsed).run();
}

class Scan {
  private readonly root: { readonly value: unknown };
  private open: Container;
  private isKey = false;

  constructor(
    private readonly text: string,
    parsed: unknown,
  ) {
    const root = { value: parsed };
    this.root = root;
    this.open = { parent: undefined, isList: false, position: -1, keyLength: 0, value: root };
  }

  run(): unknown {
    for (let at = 0; at < this.text.length; at++) at = this.token(at);
    return this.root.value;
  }

  /** Returns the index of the last character of the token. */
  private token(at: number): number {
    const char = this.text.charAt(at);
    if (char === '"') return this.string(at);
    if (char === '-' || (char >= '0' && char <= '9')) return this.number(at);
    if (char === ',') this.next();
    else if (char === '{' || char === '[') this.begin(char === '[');
    else if (char === '}' || char === ']') this.end();
    return at;
  }

  private string(at: number): number {
    const end = endOfString(this.text, at);
    if (this.isKey) [this.open.position, this.open.keyLength] = [at, end + 1 - at];
    this.isKey = false;
    return end;
  }

  private begin(isList: boolean): void {
    this.open = { parent: this.open, isList, position: 0, keyLength: 0, value: undefined };
    this.isKey = !isList;
  }

  private next(): void {
    if (this.open.isList) this.open.position++;
    else this.isKey = true;
  }

  private end(): void {
    this.open = this.open.parent ?? this.open;
    this.isKey = false;
  }

  private number(at: number): number {
    const source = numberAt(this.text, at);
    if (source.length >= LONG || /e/i.test(source)) setNumber(this.text, this.open, source);
    return at + source.length - 1;
  }
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
