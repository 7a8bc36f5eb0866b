const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COMMA] = Buffer.from('"\\[]{},');
/** Quotes, a backslash before them, and the colon. */
const NAME_MARKS = 4;

/**
 * Divides JSON with a long list into the elements of the list while it arrives.
 *
 * A list of thousands of objects is one body of many megabytes. As a whole, it would block the event loop while it is
 * parsed, and make V8 collect all garbage often. The JSON is not checked: each part has to be parsed.
 */
export class DividedList {
  private readonly member: RegExp;
  private place: 'before' | 'within' | 'after' = 'before';
  private before = '';
  private after = '';
  /** The element that the last piece began. */
  private begun = '';
  private count = 0;
  private depth = 0;
  private isQuoted = false;
  /** The backslashes at the end of the last piece, if it ended within a string. */
  private backslashes = 0;
  /** The end of the last piece, which may be in the name of the list. */
  private tail = '';

  /**
   * @param name the name of the member that is the list, without characters that JSON or a RegExp escapes
   * @param depthOfList the number of objects around the list
   */
  constructor(
    private readonly name: string,
    private readonly depthOfList: number,
  ) {
    this.member = new RegExp(String.raw`(?<!\\)"${name}"\s*:\s*$`);
  }

  /** The JSON of the members before the list, once the first element has arrived. */
  get head(): string {
    return `${this.before}]${'}'.repeat(this.depthOfList)}`;
  }

  /** The JSON with an empty list, once all of it has arrived. */
  get rest(): string {
    return this.before + this.after;
  }

  /** The number of characters that are kept because they are not part of a complete element. */
  get unread(): number {
    return this.before.length + this.begun.length + this.after.length;
  }

  /** Iterates over the elements that end in the next piece of the text. */
  *add(piece: string): Generator<string> {
    let begin = 0;
    for (let at = this.nextToken(piece, 0); at < piece.length; at = this.nextToken(piece, at + 1)) {
      const code = piece.charCodeAt(at);
      this.depth += depthChange(code);
      if (this.place === 'before' && code === OPEN_LIST && this.isMember(piece, at)) {
        this.place = 'within';
        this.before += piece.slice(begin, at + 1);
        begin = at + 1;
      } else if (this.place === 'within' && this.isEnd(code)) {
        const element = this.begun + piece.slice(begin, at);
        begin = this.pass(code, at);
        if (this.count++ > 0 || element.trim() !== '' || code === COMMA) yield element;
      }
    }
    this.keep(piece.slice(begin));
    this.tail = this.tailOf(piece);
  }

  /** Reports whether a token ends an element of the list. */
  private isEnd(code: number): boolean {
    return this.depth <= this.depthOfList || (this.depth === this.depthOfList + 1 && code === COMMA);
  }

  /** Returns the begin of what follows an element. */
  private pass(code: number, at: number): number {
    this.begun = '';
    if (code === COMMA) return at + 1;
    this.place = 'after';
    return at;
  }

  private keep(text: string): void {
    if (this.place === 'before') this.before += text;
    else if (this.place === 'within') this.begun += text;
    else this.after += text;
  }

  private isMember(piece: string, at: number): boolean {
    return this.depth === this.depthOfList + 1 && this.member.test(this.endOf(piece, at));
  }

  /** The end of the text up to a place of the next piece: a name, and any amount of white space around its colon. */
  private endOf(piece: string, at: number): string {
    let start = at;
    while (start > 0 && /[\s:]/.test(piece.charAt(start - 1))) start--;
    const length = this.name.length + NAME_MARKS;
    return start < length ? this.tail + piece.slice(0, at) : piece.slice(start - length, at);
  }

  private tailOf(piece: string): string {
    if (this.place !== 'before') return '';
    const text = this.endOf(piece, piece.length);
    return (this.isQuoted ? text : text.replace(/\s*(:?)\s*$/, '$1')).slice(-(this.name.length + NAME_MARKS));
  }

  /** The place of the next bracket outside of strings, or comma between elements, or the end. */
  private nextToken(piece: string, start: number): number {
    const isBetween = this.depth === this.depthOfList + 1;
    for (let at = this.isQuoted ? this.endOfString(piece, start) + 1 : start; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (code === QUOTE) {
        this.isQuoted = true;
        this.backslashes = 0;
        at = this.endOfString(piece, at + 1);
      } else if (isBracket(code) || (code === COMMA && isBetween)) return at;
    }
    return piece.length;
  }

  /** The place of the closing quote, or the end. */
  private endOfString(piece: string, start: number): number {
    for (let at = piece.indexOf('"', start); at !== -1; at = piece.indexOf('"', at + 1)) {
      if (this.backslashesBefore(piece, start, at) % 2 === 1) continue;
      this.isQuoted = false;
      return at;
    }
    this.backslashes = this.backslashesBefore(piece, start, piece.length);
    return piece.length;
  }

  private backslashesBefore(piece: string, start: number, end: number): number {
    let at = end;
    while (at > start && piece.charCodeAt(at - 1) === BACKSLASH) at--;
    return end - at + (at === start ? this.backslashes : 0);
  }
}

/** The codes of `[` and `{`, and those of `]` and `}`, differ in this bit only. */
const CURLY = 0x20;

function isBracket(code: number): boolean {
  const folded = code | CURLY;
  return folded === OPEN || folded === CLOSE;
}

function depthChange(code: number): number {
  if (code === OPEN || code === OPEN_LIST) return 1;
  return code === CLOSE || code === CLOSE_LIST ? -1 : 0;
}
