import { ProtocolError } from './protocol-error.js';

/** Status line and headers of an HTTP/1.1 response. Headers are parsed on demand, because most are never read. */
export class ResponseHead {
  readonly status: number;
  private readonly lowerCase: string;

  /** @throws ProtocolError if the text is not the head of an HTTP/1.x response. */
  constructor(private readonly text: string) {
    const statusLine = /^HTTP\/1\.[01] (\d{3})(?: |\r|$)/.exec(text);
    if (!statusLine) throw new ProtocolError(`not an HTTP response: ${JSON.stringify(text.slice(0, 60))}`);
    this.status = Number(statusLine[1]);
    this.lowerCase = text.toLowerCase();
  }

  /** Returns the value of the first header with this name, which must be in lower case. */
  header(name: string): string | undefined {
    const at = this.lowerCase.indexOf(`\r\n${name}:`);
    if (at < 0) return undefined;
    const end = this.text.indexOf('\r\n', at + 2);
    return this.text.slice(at + name.length + 3, end < 0 ? undefined : end).trim();
  }

  /** True if the connection stays open for another request. */
  get keepsAlive(): boolean {
    return this.text.startsWith('HTTP/1.1') && this.header('connection')?.toLowerCase() !== 'close';
  }
}
