import { OperatorError } from '../base/operator-error.js';

const LF = 0x0a;
/** By default etcd accepts objects of 1.5 MiB and the API server requests of 3 MiB, so a longer line is an error. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/**
 * Splits a stream of bytes, in chunks of any size, into lines of text.
 *
 * A line within one chunk is decoded in place; only a line across chunks is copied first. Blank lines are skipped.
 */
export class LineDecoder {
  private partial: Buffer[] = [];
  private partialBytes = 0;

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly maxLineBytes = MAX_LINE_BYTES,
  ) {}

  /** @throws OperatorError if a line is too long, and any error of `onLine`. */
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
