import { goQuoted } from '../../base/go-quoted.js';
import { MAX_DEPTH } from '../../base/nesting-depth.js';

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const END = 'unexpected end of JSON input';

/** Returns the error of Go's encoding/json for invalid JSON; undefined if the text is valid. */
export function jsonSyntaxProblem(text: string | Buffer): string | undefined {
  try {
    new Scanner(typeof text === 'string' ? Buffer.from(text) : text).document();
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.message;
    throw error;
  }
}

class SyntaxProblem extends Error {}

/** Scans a text byte by byte like Go's scanner. */
class Scanner {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  document(): void {
    const open: string[] = []; // the closing characters of all open lists and objects
    do {
      this.skipSpace();
      if (this.takes('{')) this.begin(open, '}');
      else if (this.takes('[')) this.begin(open, ']');
      else {
        this.scalar();
        this.endValue(open);
      }
    } while (open.length > 0);
    this.skipSpace();
    if (this.at < this.bytes.length) this.fail('after top-level value');
  }

  private begin(open: string[], end: string): void {
    if (open.push(end) > MAX_DEPTH)
      throw new SyntaxProblem(`invalid character '${end === '}' ? '{' : '['}' exceeded max depth`);
    this.skipSpace();
    if (this.letter === end) this.endValue(open);
    else if (end === '}') this.key();
  }

  /** Advances to the next value, closing everything that ends with this one. */
  private endValue(open: string[]): void {
    for (;;) {
      this.skipSpace();
      const end = open.at(-1);
      if (end === undefined) return;
      if (this.takes(end)) open.pop();
      else {
        if (!this.takes(',')) this.fail(end === '}' ? 'after object key:value pair' : 'after array element');
        if (end === '}') this.key();
        return;
      }
    }
  }

  private key(): void {
    this.skipSpace();
    if (this.letter !== '"') this.fail('looking for beginning of object key string');
    this.text();
    this.skipSpace();
    if (!this.takes(':')) this.fail('after object key');
  }

  private scalar(): void {
    const { letter } = this;
    if (letter === '"') this.text();
    else if (letter === '-' || isDigit(letter)) this.number();
    else if (letter in LITERALS) this.literal(LITERALS[letter as keyof typeof LITERALS]);
    else this.fail('looking for beginning of value');
  }

  private text(): void {
    this.at++;
    for (;;) {
      if (this.takes('"')) return;
      if (this.takes('\\')) this.escape();
      else {
        if ((this.bytes[this.at] ?? 0) < 0x20) this.fail('in string literal');
        this.at++;
      }
    }
  }

  private escape(): void {
    if (!this.takes('u')) {
      if (!'bfnrt\\/"'.includes(this.letter) || this.letter === '') this.failWithin('in string escape code');
      this.at++;
      return;
    }
    for (let digits = 0; digits < 4; digits++) {
      if (!/^[0-9a-fA-F]$/.test(this.letter)) this.failWithin('in \\u hexadecimal character escape');
      this.at++;
    }
  }

  private number(): void {
    this.takes('-');
    if (!this.takes('0')) this.digits('in numeric literal');
    if (this.takes('.')) this.digits('after decimal point in numeric literal');
    if (!this.takes('e') && !this.takes('E')) return;
    if (!this.takes('+')) this.takes('-');
    this.digits('in exponent of numeric literal');
  }

  private digits(where: string): void {
    if (!isDigit(this.letter)) this.failWithin(where);
    while (isDigit(this.letter)) this.at++;
  }

  private literal(word: string): void {
    for (const letter of word) {
      if (!this.takes(letter)) this.failWithin(`in literal ${word} (expecting '${letter}')`);
    }
  }

  private get letter(): string {
    const byte = this.bytes[this.at];
    return byte === undefined ? '' : String.fromCharCode(byte);
  }

  private takes(letter: string): boolean {
    if (this.letter !== letter) return false;
    this.at++;
    return true;
  }

  private skipSpace(): void {
    while (SPACE.has(this.bytes[this.at] ?? -1)) this.at++;
  }

  /** Fails at the end of the text inside a word or a number; Go reports it as if a space followed. */
  private failWithin(where: string): never {
    if (this.letter !== '') this.fail(where);
    throw new SyntaxProblem(`invalid character ' ' ${where}`);
  }

  private fail(where: string): never {
    const { letter } = this;
    throw new SyntaxProblem(letter === '' ? END : `invalid character ${quoted(letter)} ${where}`);
  }
}

const LITERALS = { t: 'true', f: 'false', n: 'null' } as const;

function isDigit(letter: string): boolean {
  return letter !== '' && letter >= '0' && letter <= '9';
}

/** Quotes a byte as encoding/json does, as a character. */
function quoted(letter: string): string {
  if (letter === "'") return String.raw`'\''`;
  return letter === '"' ? `'"'` : `'${goQuoted(letter).slice(1, -1)}'`;
}
