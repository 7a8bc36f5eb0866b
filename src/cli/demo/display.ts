import type { Row } from './row.js';

/** Where the demo shows what happens. */
export interface Display {
  /** Something that happened. */
  note(line: string): void;
  /** How things are, and what the user may do. */
  show(rows: readonly Row[], footer: readonly string[]): void;
}
