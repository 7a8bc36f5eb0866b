import type { Row } from './row.js';

/** The output of the demo. */
export interface Display {
  /** Prints a line about an event. */
  note(line: string): void;
  /** Shows the current objects, and suggestions for the user. */
  show(rows: readonly Row[], footer: readonly string[]): void;
}
