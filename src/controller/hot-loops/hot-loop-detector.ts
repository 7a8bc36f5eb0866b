import type { Run, RunRef } from '../../api/reconcile/reconcile-observer.js';
import type { Clock } from '../../base/clock.js';
import { KeyHistory, mayBeginLoop, requestsShortTimer, type FieldHistory } from './key-history.js';
import type { ObjectChange } from './object-changes.js';
import { RecentMap } from './recent-map.js';

/** A loop that was found. */
export interface HotLoop {
  /** The last run. */
  readonly run: Run;
  readonly cause: 'own write' | 'second writer' | 'timer';
  /** Number of reconciles until it was found. */
  readonly reconciles: number;
  /** Time that they took. */
  readonly ms: number;
  /** The last write of the field that changes in each of them; a timer loop need not write. */
  readonly change?: ObjectChange | undefined;
  /** The reconcile of this process that is the second writer. */
  readonly writer?: RunRef | undefined;
}

export interface LoopVerdict {
  /** The time for which the object must not be reconciled again; 0 when it is not in a loop. */
  readonly holdMs: number;
  /** Set once for each loop. */
  readonly found?: HotLoop;
}

interface FoundLoop {
  readonly cause: HotLoop['cause'];
  readonly field: FieldHistory | undefined;
}

interface KeyState {
  readonly history: KeyHistory;
  found?: FoundLoop;
  holdMs: number;
}

/** Self-triggered writes of one field in a row that make a loop, if they happen in less than this time each. */
const OWN_WAKES = 14;
const OWN_WAKE_MS = 1430;
/** Number of times that a field is set back after a change by another client. */
const REVERTS = 3;
/** Reconciles in a row by a short timer. */
const TIMERS = 18;
const FIRST_HOLD_MS = 1000;
/** Two writers of one field make at most one write a minute each. */
export const LONGEST_HOLD_MS: Readonly<Record<HotLoop['cause'], number>> = {
  'own write': 16_000,
  'second writer': 64_000,
  timer: 16_000,
};
/** An object that is not reconciled for longer than this is not in a loop. */
const MEMORY_MS = 90_000;
const REPORT_AGAIN_MS = 3_600_000;
const NO_LOOP: LoopVerdict = { holdMs: 0 };

/**
 * Detects endless loops of reconciles that trigger each other: within 20 reconciles if fields return to earlier values, or
 * have the time, and within 150 if each writes a value that was not there before, as the steps of a process do that ends.
 *
 * A loop is: a field that each reconcile writes with another value, where that write triggers the next reconcile; a
 * field that another client changes back after each reconcile; or a `requeueAfter` of a few milliseconds again and
 * again. Reconciles that others trigger, however many, are not a loop, nor are writes that trigger nothing. A loop ends
 * with the first reconcile that it triggers and that leaves the field alone.
 *
 * Costs a map lookup per reconcile; values are compared only when an object's own change triggered the reconcile that
 * changes it again. Memory is bounded by the number of objects reconciled so within two minutes.
 */
export class HotLoopDetector {
  private readonly states = new RecentMap<KeyState>(MEMORY_MS);
  private readonly reported = new RecentMap<true>(REPORT_AGAIN_MS);

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** Must be called with each run that has ended. */
  ended(run: Run): LoopVerdict {
    const nowMs = this.clock.monotonic();
    const state = this.states.get(run.key, nowMs);
    if (state) return this.follow(state, run, nowMs);
    if (mayBeginLoop(run)) {
      this.states.set(run.key, { history: new KeyHistory(run.startMs), holdMs: 0 }, nowMs);
    }
    return NO_LOOP;
  }

  private follow(state: KeyState, run: Run, nowMs: number): LoopVerdict {
    const written = state.history.add(run, nowMs);
    if (state.found) return this.goOn(state, state.found, run, written);
    const loop = findLoop(state.history, written, nowMs);
    if (!loop) return NO_LOOP;
    state.found = loop;
    return { holdMs: lengthen(state, loop.cause), ...this.describe(state.history, loop, run, nowMs) };
  }

  /** Judges a run of an object that was in a loop. */
  private goOn(
    state: KeyState,
    { cause, field }: FoundLoop,
    run: Run,
    written: ReadonlySet<FieldHistory>,
  ): LoopVerdict {
    const isLooping = cause === 'timer' ? requestsShortTimer(run) : field !== undefined && written.has(field);
    if (isLooping) return { holdMs: lengthen(state, cause) };
    // In a fight the second writer has its turn between two reconciles, so one that changes nothing is not the end.
    if (cause !== 'second writer') this.states.delete(run.key);
    return NO_LOOP;
  }

  /** The loop for its report; nothing when it was reported before. */
  private describe(history: KeyHistory, { cause, field }: FoundLoop, run: Run, nowMs: number): { found?: HotLoop } {
    const id = `${run.key} ${cause} ${field?.change.path.join('.') ?? ''}`;
    if (this.reported.get(id, nowMs)) return {};
    this.reported.set(id, true, nowMs);
    const ms = nowMs - history.sinceMs;
    return { found: { run, cause, reconciles: history.runs, ms, change: field?.change, writer: field?.writer } };
  }
}

function lengthen(state: KeyState, cause: HotLoop['cause']): number {
  state.holdMs = state.holdMs === 0 ? FIRST_HOLD_MS : Math.min(LONGEST_HOLD_MS[cause], state.holdMs * 2);
  return state.holdMs;
}

function findLoop(history: KeyHistory, written: ReadonlySet<FieldHistory>, nowMs: number): FoundLoop | undefined {
  const fields = [...written];
  const fought = fields.find(({ reverts }) => reverts >= REVERTS);
  if (fought) return { cause: 'second writer', field: fought };
  const rewritten = fields.find(
    ({ ownWakes, ownWakesWeight, ownWakesSinceMs }) =>
      ownWakesWeight >= OWN_WAKES && nowMs - ownWakesSinceMs <= ownWakes * OWN_WAKE_MS,
  );
  if (rewritten) return { cause: 'own write', field: rewritten };
  if (history.timers < TIMERS) return undefined;
  return { cause: 'timer', field: fields.find(({ change }) => change.path.length > 0) };
}
