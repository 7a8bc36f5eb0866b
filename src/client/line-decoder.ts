import { OperatorError } from '../base/operator-error.js';

const LF = 0x0a;
/** Etcd takes objects of 1.5 MiB by default and the API server requests of 3 MiB, so this is a stream gone wrong. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/**
 * Bytes, cut anywhere, to lines of text.
 *
 * A line that came in one piece is decoded where it lies; only one cut in two is copied first. Blank lines are left out.
 */
export class LineDecoder {
  private partial: Buffer[] = [];
  private partialBytes = 0;

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly maxLineBytes = MAX_LINE_BYTES,
  ) {}

  /** @throws OperatorError when a line is too long, and what `onLine` throws. */
  push(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      if (this.partialBytes > 0) this.emitJoined(bytes.subarray(start, end));
      else if (end - start > 1) this.onLine(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    if (start < bytes.length) this.keep(start === 0 ? bytes : bytes.subarray(start));
  }

  private emitJoined(rest: Buffer): void {
    this.partial.push(rest);
    const line = Buffer.concat(this.partial).toString();
    this.partial = [];
    this.partialBytes = 0;
    if (line.length > 1) this.onLine(line);
  }

  private keep(bytes: Buffer): void {
    this.partialBytes += bytes.length;
    if (this.partialBytes > this.maxLineBytes) {
      throw new OperatorError(`the server sent a line of more than ${this.maxLineBytes} bytes`, {
        code: 'E_LINE_TOO_LONG',
      });
    }
    this.partial.push(bytes);
  }
}
