const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COMMA] = Buffer.from('"\\[]{},');
/** The depth within the list `request.objects` of a review. */
const LIST_DEPTH = 3;
const LIST_NAME = /(?<!\\)"objects"\s*:\s*$/;
/** The length of the name with its quotes, a backslash before it and the colon. */
const NAME_LENGTH = 11;

/**
 * Divides the JSON of a ConversionReview into its objects while it arrives.
 *
 * A list of thousands of objects is one body of many megabytes. As a whole, it would keep the event loop from other work
 * while it is parsed, and the garbage collector busy. The JSON is not checked: each part has to be parsed.
 */
export class DividedReview {
  private place: 'before' | 'within' | 'after' = 'before';
  private before = '';
  private after = '';
  /** The object that the last piece began. */
  private begun = '';
  private count = 0;
  private depth = 0;
  private isQuoted = false;
  /** The backslashes at the end of the last piece, if it ended within a string. */
  private backslashes = 0;
  /** The end of the last piece, which may be in the name of the list. */
  private tail = '';

  /** The JSON of the members before the list, once the first object has arrived. */
  get head(): string {
    return `${this.before}]}}`;
  }

  /** The JSON of the review with an empty list, once all of it has arrived. */
  get rest(): string {
    return this.before + this.after;
  }

  /** Iterates over the objects that end in the next piece of the text. */
  *add(piece: string): Generator<string> {
    let begin = 0;
    for (let at = this.nextToken(piece, 0); at < piece.length; at = this.nextToken(piece, at + 1)) {
      const code = piece.charCodeAt(at);
      this.depth += depthChange(code);
      if (this.place === 'before' && code === OPEN_LIST && this.isObjects(piece, at)) {
        this.place = 'within';
        this.before += piece.slice(begin, at + 1);
        begin = at + 1;
      } else if (this.place === 'within' && this.isEnd(code)) {
        const object = this.begun + piece.slice(begin, at);
        begin = this.pass(code, at);
        if (this.count++ > 0 || object.trim() !== '' || code === COMMA) yield object;
      }
    }
    this.keep(piece.slice(begin));
    this.tail = this.tailOf(piece);
  }

  /** Reports whether a token ends an object of the list. */
  private isEnd(code: number): boolean {
    return this.depth < LIST_DEPTH || (this.depth === LIST_DEPTH && code === COMMA);
  }

  /** Returns the begin of what follows an object. */
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

  private isObjects(piece: string, at: number): boolean {
    if (this.depth !== LIST_DEPTH) return false;
    return LIST_NAME.test(this.endOf(piece, at));
  }

  /** The end of the text up to a place of the next piece: a name, and any amount of white space around its colon. */
  private endOf(piece: string, at: number): string {
    let start = at;
    while (start > 0 && /[\s:]/.test(piece.charAt(start - 1))) start--;
    return start < NAME_LENGTH ? this.tail + piece.slice(0, at) : piece.slice(start - NAME_LENGTH, at);
  }

  private tailOf(piece: string): string {
    if (this.place !== 'before') return '';
    const text = this.endOf(piece, piece.length);
    return (this.isQuoted ? text : text.replace(/\s*(:?)\s*$/, '$1')).slice(-NAME_LENGTH);
  }

  /** The place of the next bracket or comma outside of strings, or the end. */
  private nextToken(piece: string, start: number): number {
    for (let at = this.isQuoted ? this.endOfString(piece, start) + 1 : start; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (code === QUOTE) {
        this.isQuoted = true;
        this.backslashes = 0;
        at = this.endOfString(piece, at + 1);
      } else if (code === COMMA || depthChange(code) !== 0) return at;
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

function depthChange(code: number): number {
  if (code === OPEN || code === OPEN_LIST) return 1;
  return code === CLOSE || code === CLOSE_LIST ? -1 : 0;
}
