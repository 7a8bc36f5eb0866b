import type { ReconcileObserver, Run } from '../api/reconcile/reconcile-observer.js';
import type { Logger } from '../base/logger.js';
import { LineLogger, type LogLine } from './line-logger.js';

/** A reconcile, with the time it began. */
export interface RecordedRun {
  /** In milliseconds of the process's monotonic time: the clock of the cluster may stand still. */
  readonly atMs: number;
  readonly run: Run;
}

/** A log line of level warn or error. */
export interface RecordedProblem {
  readonly atMs: number;
  readonly line: LogLine;
}

const MAX_RUNS = 1000;
const MAX_PROBLEMS = 200;

/** The last reconciles and log lines of the operators of a cluster, for the reports of failing tests. */
export class OperatorHistory {
  /** In milliseconds of the process's monotonic time. */
  readonly startedMs = performance.now();
  readonly runs: RecordedRun[] = [];
  readonly problems: RecordedProblem[] = [];
  /** Observes the managers of the cluster. */
  readonly observer: ReconcileObserver = {
    began: (run) => {
      keep(this.runs, { atMs: performance.now(), run }, MAX_RUNS);
    },
  };
  /** Passes all lines on, and keeps those of level warn and error. */
  readonly logger: Logger;
  /** True after the cluster was stopped. */
  isEnded = false;

  constructor(target: Logger) {
    this.logger = new LineLogger((line) => {
      target[line.level](line.message, line.fields);
      if (line.level === 'warn' || line.level === 'error')
        keep(this.problems, { atMs: performance.now(), line }, MAX_PROBLEMS);
    });
  }
}

function keep<T>(entries: T[], entry: T, max: number): void {
  if (entries.length >= max) entries.splice(0, max / 2);
  entries.push(entry);
}
