import type { World } from './world.js';

/** One row of the fault table. */
export interface Row {
  /** Of the catalog; with a letter when one fault has several rows. */
  readonly id: string;
  /** A sentence: what holds under which fault. */
  readonly title: string;
  /** Throws if the promise is not held. */
  readonly run: (world: World) => Promise<void>;
}

export interface RowResult {
  readonly id: string;
  readonly title: string;
  readonly seconds: number;
  /** Undefined: held. */
  readonly error?: Error | undefined;
}
