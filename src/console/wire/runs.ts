import type { KindId, ObjectRefWire, RunOutcome } from './objects.js';

/** One line of a timeline. */
export interface RunSummary {
  readonly id: string;
  readonly controller: string;
  readonly object: ObjectRefWire;
  readonly at: number;
  /** Missing while it is running. */
  readonly ms?: number;
  readonly outcome?: RunOutcome;
  readonly attempt: number;
  /** One line: `@Watches(Pod) update default/x (status) x3; requeueAfter 30000 ms`. */
  readonly why: string;
  /** Writes that were sent; skipped ones do not count. */
  readonly writes: number;
  /** The first line of the error. */
  readonly error?: string;
  /** Time until the retry or the requested requeue. */
  readonly nextMs?: number;
  /** False for a run that wrote nothing and ended well. */
  readonly isNotable: boolean;
}

export interface RunPage {
  /** The newest first. */
  readonly runs: readonly RunSummary[];
  /** Runs that were not kept, because the memory for them is limited. */
  readonly dropped: number;
  readonly next?: string;
}

export interface RunDetail extends RunSummary {
  readonly causes: readonly CauseDetail[];
  /** Number of causes beyond those. */
  readonly causesOmitted: number;
  /** In the order in which they began. */
  readonly ops: readonly OpDetail[];
  readonly log: readonly ShownLine[];
  readonly failure?: ErrorDetail;
}

export interface CauseDetail {
  readonly type: 'initial' | 'event' | 'trigger' | 'timer' | 'retry' | 'console';
  /** One line of text. */
  readonly text: string;
  /** The decorator that subscribed: `@Owns(Deployment)`. */
  readonly source?: string;
  readonly event?: 'add' | 'update' | 'delete';
  /** The object of an event. */
  readonly object?: ObjectRefWire;
  /** The fields that an update changed. */
  readonly changes?: readonly FieldChange[];
  readonly changesOmitted?: number;
  /** The reconcile of this process that wrote the change. */
  readonly byRun?: {
    readonly id: string;
    readonly controller: string;
    readonly object: string;
    readonly isSame: boolean;
  };
  readonly delayMs?: number;
  readonly attempt?: number;
}

/** One field with two values, each as one line of JSON, cut at 500 characters; undefined: the field is absent. */
export interface FieldChange {
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
}

/** A call of a reconcile. `atMs` counts from the start of the run. */
export interface OpDetail {
  readonly do: 'get' | 'list' | 'apply' | 'create' | 'update' | 'patch' | 'delete' | 'status' | 'event';
  readonly atMs: number;
  /** Missing while the call is running. */
  readonly ms?: number;
  /** The object of a read or write; for `list` only `kind` and `namespace`. */
  readonly kind?: KindId;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly from?: 'cache' | 'server';
  /** Number of objects that a read found. */
  readonly found?: number;
  /** True for a write that was not sent because the object is as desired. */
  readonly isSkipped?: true;
  /** The fields that a write changed; empty if it changed nothing. */
  readonly changes?: readonly FieldChange[];
  readonly changesOmitted?: number;
  /** Set when the states before and after are no longer kept. */
  readonly isDiffDropped?: true;
  readonly error?: string;
  /** Set for `event`. */
  readonly eventType?: 'Normal' | 'Warning';
  readonly reason?: string;
  readonly message?: string;
}

export interface ErrorDetail {
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
  /** The innermost frame of the user's own code: `operators/podset.ts:31:7`. */
  readonly location?: string;
  /** The whole stack as text. */
  readonly stack: string;
}

export type LineLevel = 'debug' | 'info' | 'warn' | 'error';

export interface ShownLine {
  readonly seq: number;
  readonly at: number;
  readonly level: LineLevel;
  readonly message: string;
  readonly controller?: string;
  /** Id of the run that has logged the line. */
  readonly run?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The other fields, as text. */
  readonly fields: Readonly<Record<string, string>>;
  readonly error?: ErrorDetail;
}

export interface LogPage {
  /** The oldest first. */
  readonly lines: readonly ShownLine[];
  /** Lines that were not kept. */
  readonly dropped: number;
}
