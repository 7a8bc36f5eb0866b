import type { ObjectRefWire, ObjectRow } from './objects.js';
import type { FieldChange, RunDetail } from './runs.js';

/** A problem that the doctor has found. */
export interface Finding {
  readonly id: string;
  /** `own-write`, `second-writer`, `timer`, `same-error`, `idle-wakes`, `stuck`, `starving`, `blind-watch`, … */
  readonly rule: string;
  readonly level: 'error' | 'warning';
  readonly controller?: string;
  readonly object?: ObjectRefWire;
  /** One sentence. */
  readonly message: string;
  /** The next step of the user. */
  readonly hint: string;
  /** The field that changes, with its values. */
  readonly change?: FieldChange;
  /** The object with this field. */
  readonly changed?: ObjectRefWire;
  /** The user's code: `operators/podset.ts:31:7`. */
  readonly location?: string;
  /** Ids of runs that show it. */
  readonly runs: readonly string[];
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface FindingList {
  readonly findings: readonly Finding[];
}

/** Why an object is reconciled. */
export interface WhyReport {
  readonly row: ObjectRow;
  /** The newest first. */
  readonly runs: readonly RunDetail[];
  readonly findings: readonly Finding[];
}
