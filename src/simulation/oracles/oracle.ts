import type { History } from '../record/history.js';

/** A sign that a run is wrong. Alarms with the same oracle, object, field and reason are one problem. */
export interface Alarm {
  /** Name of the oracle: `end state`. */
  readonly oracle: string;
  /** The object in canonical spelling. */
  readonly object?: string | undefined;
  /** Field path or verb. */
  readonly field?: string | undefined;
  /** Short, and the same for equal problems. */
  readonly reason: string;
  /** A sentence for the user, with the values. */
  readonly message: string;
  /** Virtual time of the first sign, if there is one. */
  readonly at?: number | undefined;
}

/** A rule that every run must keep. */
export interface Oracle {
  readonly name: string;
  /** The mistake when it raises an alarm, for `--list`. */
  readonly words: string;
  /**
   * Returns the alarms of one run. Neither changes its arguments nor depends on anything else.
   *
   * @param references runs of the same workload without faults, in different schedules; a run without faults is the first
   * @param direct a run without faults in which the user creates the last state of the objects without the steps before
   */
  judge(history: History, references: readonly History[], direct?: History): readonly Alarm[];
}

/** Alarms with equal fingerprints are one problem. */
export function fingerprint({ oracle, object = '', field = '', reason }: Alarm): string {
  return [oracle, object, field, reason].join(' | ');
}
