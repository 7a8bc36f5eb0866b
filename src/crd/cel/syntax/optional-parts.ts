const STRING = /[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/y;
const BLANK = /(?:\s|\/\/[^\n]*)+/y;
const OPERAND = /[\w)\]}]$/;

/**
 * A source with the question marks of its literals replaced at the same offsets, and the offsets of the marked
 * elements.
 */
export interface OptionalParts {
  readonly source: string;
  readonly starts: ReadonlySet<number>;
}

/**
 * Removes the marks of optional entries and items from literals, `{?'a': b}` and `[?c]`, which the library cannot
 * parse.
 */
export function optionalParts(source: string): OptionalParts {
  if (!/[{[,]\s*\?/.test(source)) return { source, starts: new Set() };
  const walk = new Walk(source);
  while (!walk.isOver) walk.step();
  return { source: walk.text, starts: walk.starts };
}

class Walk {
  text = '';
  readonly starts = new Set<number>();
  private readonly open: string[] = [];
  /** True at the start of an element of a literal. */
  private isFirst = false;

  constructor(private readonly source: string) {}

  get isOver(): boolean {
    return this.text.length >= this.source.length;
  }

  step(): void {
    if (this.take(BLANK)) return;
    const isMark = this.isFirst && this.source.charAt(this.text.length) === '?';
    if (isMark) this.mark();
    else if (!this.take(STRING)) {
      this.character(this.source.charAt(this.text.length));
      return;
    }
    this.isFirst = false;
  }

  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.text.length;
    const [found] = pattern.exec(this.source) ?? [];
    this.text += found ?? '';
    return found !== undefined;
  }

  private mark(): void {
    this.text += ' ';
    this.take(BLANK);
    this.starts.add(this.text.length);
  }

  private character(character: string): void {
    // An index follows its operand; a list does not.
    const isIndex = character === '[' && OPERAND.test(this.text.trimEnd());
    if ('([{'.includes(character)) this.open.push(isIndex ? 'index' : character);
    if (')]}'.includes(character)) this.open.pop();
    this.isFirst = '[{,'.includes(character) && ['[', '{'].includes(this.open.at(-1) ?? '');
    this.text += character;
  }
}
