import { ProtocolError } from './protocol-error.js';

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d(?: |\r|$)/;
/** Status line and headers (RFC 9112, 4 and 5): no line break without CR LF, no folded line, no space before a colon. */
const HEAD =
  /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?(?:\r\n[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*)*$/;
const VALID_LINES = /^[^\r\n]*(?:\r\n[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*(?=\r\n|$))*/;
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const STATUS_AT = 'HTTP/1.1 '.length;
const TAB = 0x09;
const SPACE = 0x20;

/** Status line and headers of an HTTP/1.1 response. Headers are parsed on demand, because most are never read. */
export class ResponseHead {
  readonly status: number;
  private readonly lowerCase: string;

  /** @throws ProtocolError if the text is not the head of an HTTP/1.x response. */
  constructor(private readonly text: string) {
    if (!HEAD.test(text)) throw new ProtocolError(describeError(text));
    this.status = Number(text.slice(STATUS_AT, STATUS_AT + 3));
    this.lowerCase = text.toLowerCase();
  }

  /**
   * Returns the value of the header with this name, which must be in lower case. The values of several headers with this
   * name are separated by commas (RFC 9110, 5.3).
   */
  header(name: string): string | undefined {
    const line = `\r\n${name}:`;
    let at = this.lowerCase.indexOf(line);
    if (at < 0) return undefined;
    let value = this.valueAt(at + line.length);
    while ((at = this.lowerCase.indexOf(line, at + line.length)) >= 0) value += `, ${this.valueAt(at + line.length)}`;
    return value;
  }

  /** True if the connection stays open for another request. */
  get keepsAlive(): boolean {
    if (!this.text.startsWith('HTTP/1.1')) return false;
    // With both, a proxy on the way may have read another end of the body (RFC 9112, 6.3).
    if (this.has('transfer-encoding') && this.has('content-length')) return false;
    return !CLOSE.test(this.header('connection') ?? '');
  }

  private has(name: string): boolean {
    return this.lowerCase.includes(`\r\n${name}:`);
  }

  /** Returns the value that starts here, without the white space around it. */
  private valueAt(from: number): string {
    const { text } = this;
    const lineEnd = text.indexOf('\r\n', from);
    let start = from;
    let end = lineEnd < 0 ? text.length : lineEnd;
    while (start < end && isBlank(text.charCodeAt(start))) start++;
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
    return text.slice(start, end);
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function describeError(text: string): string {
  if (!STATUS_LINE.test(text)) return `not an HTTP response: ${JSON.stringify(text.slice(0, 60))}`;
  const valid = VALID_LINES.exec(text)?.[0].length ?? 0;
  const [name = ''] = text.slice(valid).trimStart().split(':', 1);
  return name ? `invalid header ${JSON.stringify(name.slice(0, 60))}` : 'invalid status line';
}
