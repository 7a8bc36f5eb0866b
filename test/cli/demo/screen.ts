import { Writable } from 'node:stream';

/** A terminal as far as the live display uses one: wraps lines, scrolls, knows cursor-up and erase-below. */
export class Screen extends Writable {
  private readonly lines: string[] = [''];
  private row = 0;
  private column = 0;

  constructor(
    readonly columns: number,
    readonly rows: number,
  ) {
    super({ decodeStrings: false });
  }

  get text(): string {
    return this.lines.map((line) => line.trimEnd()).join('\n');
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    for (const [token] of chunk.matchAll(/\x1b\[\d*[A-Za-z]|[^]/gu)) this.put(token);
    done();
  }

  private put(token: string): void {
    const up = /^\x1b\[(\d+)A$/.exec(token);
    if (up) this.row = Math.max(this.row - Number(up[1]), this.top());
    else if (token === '\x1b[J') this.lines.splice(this.row, Infinity, '');
    else if (token === '\n') this.newLine();
    else if (!token.startsWith('\x1b')) this.print(token);
    if (up) this.column = 0;
  }

  private print(character: string): void {
    if (this.column === this.columns) this.newLine();
    this.lines[this.row] = `${this.lines[this.row] ?? ''}${character}`;
    this.column++;
  }

  private newLine(): void {
    this.row++;
    this.column = 0;
    this.lines[this.row] ??= '';
  }

  /** What has scrolled out of the screen cannot be written over. */
  private top(): number {
    return Math.max(0, this.lines.length - this.rows);
  }
}
