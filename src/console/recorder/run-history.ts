import type { EventCause, ReconcileObserver, Run, RunRef } from '../../api/reconcile/reconcile-observer.js';
import type { Cancel, Clock } from '../../base/clock.js';
import {
  isNotable,
  recordOf,
  stateVersion,
  writtenVersions,
  type FrozenDetails,
  type RunObject,
  type RunRecord,
} from './run-record.js';
import { RunRings, type RingLimits } from './run-rings.js';
import { StateBudget } from './state-budget.js';

/** Routine runs of one second that are kept before most are left out, and the share that is kept of the others. */
const ROUTINE_PER_SECOND = 200;
const KEPT_OF_REST = 100;
const SETTLE_MS = 250;
/** Runs of an object that are kept when there are too many to describe them. */
const KEPT_IN_FLOOD = 3;
/** Longer details are replaced by those without changed fields. */
const LONGEST_FROZEN = 2000;

export interface RunHistoryOptions {
  readonly clock: Clock;
  /** Describes a record without its objects. */
  readonly freeze: (record: RunRecord, withChanges: boolean) => FrozenDetails;
  readonly limits?: RingLimits;
  readonly stateBytes?: number;
}

/**
 * Records the runs of all controllers within a limited amount of memory.
 *
 * While reconciles run, only references are kept: no object is copied, compared or printed.
 */
export class RunHistory {
  private readonly rings: RunRings;
  private readonly states: StateBudget;
  /** By reference: the ID of a run is created when it is first read, and most are never shown. */
  private readonly running = new Set<Run>();
  private readonly listeners = new Set<(run: RunRecord | Run) => void>();
  private readonly leftOutListeners = new Set<() => void>();
  private secondMs = 0;
  private routineInSecond = 0;
  private settling: Cancel | undefined;

  constructor(private readonly options: RunHistoryOptions) {
    const { clock, limits, stateBytes } = options;
    this.states = new StateBudget(
      (record, isHurried) => {
        if (isHurried && this.rings.of(record).length > KEPT_IN_FLOOD) this.rings.evict(record);
        else this.freeze(record, isHurried);
      },
      () => clock.monotonic(),
      stateBytes,
    );
    this.rings = new RunRings((record) => {
      this.states.remove(record);
    }, limits);
  }

  /** Must be passed to the manager. */
  readonly observer: ReconcileObserver = {
    began: (run) => {
      this.running.add(run);
      if (this.listeners.size > 0) this.notify(run);
    },
    ended: (run) => {
      this.ended(run);
    },
  };

  /** Estimated, of runs and states. */
  get bytes(): number {
    return this.rings.bytes + this.states.bytes;
  }

  get dropped(): number {
    return this.rings.dropped;
  }

  /** Returns a run, also one that is running. */
  get(id: string): RunRecord | undefined {
    const running = this.runningRuns.find((run) => run.id === id);
    return running ? recordOf(running) : this.rings.get(id);
  }

  /** The runs of an object, the newest first, without running ones. */
  of(object: RunObject): RunRecord[] {
    return [...this.rings.of(object)].reverse();
  }

  /** The last run of an object that has ended. */
  lastOf(object: RunObject): RunRecord | undefined {
    return this.rings.of(object).at(-1);
  }

  /** Runs of an object since a time. */
  countSince(object: RunObject, sinceMs: number): number {
    const runs = this.rings.of(object);
    let count = 0;
    while (count < runs.length && (runs.at(-1 - count)?.startMs ?? 0) >= sinceMs) count++;
    return count;
  }

  /** All runs, the newest first; running ones at the beginning. */
  all(): RunRecord[] {
    return [...this.runningRuns.map(recordOf), ...this.rings.all()].reverse();
  }

  get runningRuns(): readonly Run[] {
    return [...this.running];
  }

  /** The reconcile that wrote the state of an event; known also when the watch was faster than the answer. */
  writerOf({ event, byRun }: EventCause): RunRef | undefined {
    if (byRun) return byRun;
    const version = stateVersion(event.object);
    const record = this.rings.all().find((each) => each.writes > 0 && writtenVersions(each).includes(version));
    return record && { id: record.id, controller: record.controller, cluster: record.cluster, key: record.key };
  }

  /** Calls the listener for each run that begins or ends; returns an unsubscribe function. */
  onChange(listener: (run: RunRecord | Run) => void, onLeftOut: () => void = () => undefined): () => void {
    this.listeners.add(listener);
    this.leftOutListeners.add(onLeftOut);
    return () => {
      this.listeners.delete(listener);
      this.leftOutListeners.delete(onLeftOut);
    };
  }

  close(): void {
    this.settling?.();
    this.running.clear();
  }

  private ended(run: Run): void {
    this.running.delete(run);
    if (!isNotable(run) && this.isTooMany(run.startMs)) {
      this.rings.leftOut();
      for (const listener of this.leftOutListeners) listener();
      return;
    }
    const record = recordOf(run);
    this.rings.add(record);
    this.states.add(record);
    this.settling ??= this.options.clock.schedule(SETTLE_MS, this.settle);
    this.notify(record);
  }

  private notify(run: RunRecord | Run): void {
    for (const listener of this.listeners) listener(run);
  }

  private isTooMany(nowMs: number): boolean {
    if (nowMs - this.secondMs >= 1000) {
      this.secondMs = nowMs;
      this.routineInSecond = 0;
    }
    this.routineInSecond += 1;
    return this.routineInSecond > ROUTINE_PER_SECOND && this.routineInSecond % KEPT_OF_REST !== 0;
  }

  private readonly settle = (): void => {
    this.settling = undefined;
    this.states.settle();
    if (this.states.hasWork) this.settling = this.options.clock.schedule(SETTLE_MS, this.settle);
  };

  private freeze(record: RunRecord, isHurried: boolean): void {
    let frozen = this.options.freeze(record, !isHurried);
    let bytes = JSON.stringify(frozen).length;
    if (!isHurried && bytes > LONGEST_FROZEN) {
      frozen = this.options.freeze(record, false);
      bytes = JSON.stringify(frozen).length;
    }
    record.frozen = frozen;
    record.versions = writtenVersions(record);
    record.causes = [];
    record.ops = [];
    this.rings.resized(record, bytes + FROZEN_BYTES);
  }
}

/** The members of a record beside its details. */
const FROZEN_BYTES = 400;
