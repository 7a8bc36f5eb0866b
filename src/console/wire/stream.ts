import type { FindingList } from './doctor.js';
import type { ControllerInfo, KindInfo, ObjectRow } from './objects.js';
import type { ShownLine, RunSummary } from './runs.js';
import type { MetricsSample, RuntimeState } from './runtime.js';

export interface ApiProblem {
  readonly error: string;
  /** The next step of the user. */
  readonly hint?: string;
}

/** The first event of each stream. */
export interface Hello {
  readonly v: 1;
  /** Changes when the operator restarts: everything that the page holds is out of date then. */
  readonly process: string;
  /** The names of the controllers, joined. */
  readonly operator: string;
  readonly version: string;
  readonly mode: 'dev' | 'read-only';
  readonly isLeader: boolean;
  readonly startedAt: number;
  /** The clock of the operator when the response was made. */
  readonly now: number;
  readonly kinds: readonly KindInfo[];
  readonly controllers: readonly ControllerInfo[];
}

/** The events after `hello`: `runtime`, `metrics` and `findings` are whole states; the others are changes. */
export type StreamTopic = 'objects' | 'runs' | 'runtime' | 'logs' | 'metrics' | 'doctor';

/**
 * Each event of the stream, by the name in its line `event:`; its `data:` is one line of JSON. The last `id:` is to be sent as
 * `Last-Event-ID` after a reconnect: then the changes since are sent, or a `reset` if they are not known any more. A comment is
 * sent each 15 seconds.
 */
export interface StreamEvents {
  readonly hello: Hello;
  /** The kinds or their numbers of objects have changed. */
  readonly kinds: { readonly kinds: readonly KindInfo[] };
  /** `reset`: forget all rows first. More frames follow until one has `isComplete`. At most 10 frames per second. */
  readonly rows: {
    readonly reset?: true;
    readonly isComplete?: true;
    readonly rows: readonly ObjectRow[];
    /** uids of deleted objects. */
    readonly gone?: readonly string[];
  };
  /** Begun and ended runs; a later event replaces an earlier one with the same id. `routine` counts runs left out. */
  readonly runs: { readonly reset?: true; readonly runs: readonly RunSummary[]; readonly routine: number };
  readonly runtime: RuntimeState;
  readonly logs: { readonly reset?: true; readonly lines: readonly ShownLine[]; readonly dropped: number };
  readonly metrics: { readonly reset?: true; readonly samples: readonly MetricsSample[] };
  readonly findings: FindingList;
  /** The client was too slow: this many changes were left out. */
  readonly gap: { readonly dropped: number };
  /** The operator stops; the stream ends. */
  readonly bye: { readonly reason: string };
}

export type StreamEventName = keyof StreamEvents;
