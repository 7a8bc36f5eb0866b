import { stripVTControlCharacters, styleText } from 'node:util';
import type { Display } from './display.js';
import type { Row, ShownCondition } from './row.js';

/** The terminal to draw on; columns and rows are 0 when the size is unknown. */
export type Terminal = NodeJS.WritableStream & { readonly columns: number; readonly rows: number };

const HEADER = ['KIND', 'NAME', 'STATUS', 'CONDITIONS'] as const;
const ELLIPSIS = '…';

/** A table that is redrawn in place at the bottom of the screen, with event lines scrolling above it. */
export class LiveDisplay implements Display {
  private region: readonly string[] = [];
  private height = 0;

  constructor(private readonly terminal: Terminal) {}

  note(line: string): void {
    this.redraw(`${line}\n`);
  }

  show(rows: readonly Row[], footer: readonly string[]): void {
    const wrapped = footer.reduce((lines, line) => lines + this.heightOf(line), 0);
    const room = Math.max(1, (this.terminal.rows || 24) - wrapped - 5); // header, empty lines, the cursor's, the count
    const table = this.table(rows.slice(0, room));
    const more = rows.length > room ? [`${ELLIPSIS} and ${rows.length - room} more`] : [];
    this.region = ['', ...table, ...more, '', ...footer];
    this.redraw('');
  }

  private get width(): number {
    return this.terminal.columns || 80;
  }

  /** Redraws in one write, to avoid flicker. */
  private redraw(above: string): void {
    const erase = this.height === 0 ? '' : `\x1b[${this.height}A\x1b[J`;
    this.terminal.write(erase + above + this.region.map((line) => `${line}\n`).join(''));
    this.height = this.region.reduce((lines, line) => lines + this.heightOf(line), 0);
  }

  /** The number of terminal lines that a line occupies when it wraps. */
  private heightOf(line: string): number {
    return Math.max(1, Math.ceil(stripVTControlCharacters(line).length / this.width));
  }

  private table(rows: readonly Row[]): string[] {
    const cells = rows.map(({ kind, name, status }) => [kind, name, status]);
    const widths = [0, 1, 2].map(
      (column) => Math.max(...[HEADER, ...cells].map((row) => row[column]?.length ?? 0)) + 2,
    );
    const line = (row: readonly string[]): string =>
      row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('');
    return [
      this.style('bold', cut(line(HEADER), this.width)),
      ...cells.map((row, index) => this.withConditions(line(row), rows[index]?.conditions ?? [])),
    ];
  }

  /** Each condition is truncated before it is colored, because color codes have no width. */
  private withConditions(line: string, conditions: readonly ShownCondition[]): string {
    let room = this.width - line.length;
    let result = cut(line, this.width);
    for (const { text, isTrue } of conditions) {
      if (room <= 1) break;
      const shown = cut(text, room);
      result += `${this.style(isTrue ? 'green' : 'yellow', shown)} `;
      room -= shown.length + 1;
    }
    return result.trimEnd();
  }

  private style(format: 'bold' | 'green' | 'yellow', text: string): string {
    return styleText(format, text, { stream: this.terminal });
  }
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : text.slice(0, Math.max(0, width - 1)) + ELLIPSIS;
}
