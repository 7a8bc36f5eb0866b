import type { Row } from './row.js';

/** The output of the demo. */
export interface Display {
  /** Prints a line about an event. */
  note(line: string): void;
  /** Shows the current objects, and suggestions for the user. */
  show(rows: readonly Row[], footer: readonly string[]): void;
}

/** Prints a line for each change, for output that is not a terminal. */
export class PlainDisplay implements Display {
  private shown = new Map<string, string>();
  private isFooterShown = false;

  constructor(private readonly stream: NodeJS.WritableStream) {}

  note(line: string): void {
    this.stream.write(`${line}\n`);
  }

  show(rows: readonly Row[], footer: readonly string[]): void {
    const next = new Map(rows.map((row) => [`${row.kind} ${row.name}`, describe(row)]));
    for (const [name, text] of next) if ((this.shown.get(name) ?? '') !== text) this.note(`${name}${text}`);
    this.shown = next;
    if (this.isFooterShown || footer.length === 0) return;
    this.isFooterShown = true;
    this.note(['', ...footer, ''].join('\n'));
  }
}

function describe({ status, conditions }: Row): string {
  const parts = [status, ...conditions.map(({ text }) => text)].filter((part) => part !== '');
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}
