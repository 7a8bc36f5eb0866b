import { createHash } from 'node:crypto';
import { randomNumber } from '../../base/random.js';
import type { ObjectKey } from '../../api/objects/object-key.js';
import type { Cancel, Clock } from '../../base/clock.js';
import { Heap, type HeapItem } from '../../queue/heap.js';
import type { TimerModel, TimerSchedule } from '../../resource/triggers/timer-models.js';

export interface ObjectTimersOptions {
  readonly timers: readonly TimerModel[];
  readonly clock: Clock;
  readonly onDue: (key: ObjectKey, timer: TimerModel) => void;
  /** Returns a number from 0 to 1, excluding 1. */
  readonly random?: () => number;
}

/** The next time of one timer of one object. */
interface Pending extends HeapItem {
  readonly key: ObjectKey;
  readonly timer: TimerModel;
  /** Part of the interval by which the object's times are shifted, 0 to 1. */
  readonly phase: number;
  /** The time on the grid, without jitter; wall-clock time. */
  gridMs: number;
  /** Monotonic time. */
  dueMs: number;
}

/** The longest time until a jump of the wall clock is noticed. */
const CHECK_MS = 300_000;
/** The most timers that fire in one turn of the event loop. */
const MOST_PER_TURN = 500;
/** Smaller differences between the clocks are corrected at the next time of each timer. */
const JUMP_MS = 1000;

/**
 * The timers of all objects of a kind.
 *
 * Times of an interval are derived from the object's uid and the wall clock alone, so that objects are spread over the
 * interval, and a restart or another leader continues with the same times. One timer of the clock serves all objects. After
 * a jump of the wall clock, or a time in which the machine was suspended, all times are determined again; a time of a
 * calendar that was skipped is made up for.
 */
export class ObjectTimers {
  private readonly pendingByKey = new Map<ObjectKey, { readonly uid: string; readonly pending: readonly Pending[] }>();
  private readonly heap = new Heap<Pending>((a, b) => a.dueMs < b.dueMs);
  private cancelTimer: Cancel = () => undefined;
  private timerAt = Infinity;
  /** The difference between the wall clock and the monotonic clock, from which the times in the heap are derived. */
  private offsetMs: number;

  constructor(private readonly options: ObjectTimersOptions) {
    this.offsetMs = this.currentOffsetMs;
  }

  /** The number of objects with timers. */
  get size(): number {
    return this.pendingByKey.size;
  }

  /** The objects with timers. */
  get keys(): Iterable<ObjectKey> {
    return this.pendingByKey.keys();
  }

  /** Starts the timers of an object. Returns false if they run already. */
  add(key: ObjectKey, uid: string): boolean {
    const present = this.pendingByKey.get(key);
    if (present?.uid === uid) return false;
    this.remove(key);
    const phase = phaseOf(uid);
    const pending = this.options.timers.map((timer): Pending => {
      return { key, timer, phase, gridMs: -Infinity, dueMs: 0, heapIndex: 0 };
    });
    this.pendingByKey.set(key, { uid, pending });
    for (const each of pending) this.schedule(each);
    return true;
  }

  /** Stops the timers of an object, if it has any. */
  remove(key: ObjectKey): void {
    const present = this.pendingByKey.get(key);
    this.pendingByKey.delete(key);
    for (const each of present?.pending ?? []) {
      if (this.heap.size === 0 || !Number.isFinite(each.dueMs)) continue;
      each.dueMs = -Infinity;
      this.heap.raise(each);
      this.heap.pop();
    }
  }

  /** Stops all timers. */
  stop(): void {
    this.cancelTimer();
    this.timerAt = Infinity;
    this.heap.clear();
    this.pendingByKey.clear();
  }

  private schedule(pending: Pending): void {
    const { clock, random = () => randomNumber('jitter of a timer') } = this.options;
    const { timer, gridMs, phase } = pending;
    const nowMs = clock.now();
    const nextMs = nextTime(timer.schedule, latestTime(timer.schedule, gridMs, nowMs), phase);
    if (nextMs === undefined) {
      pending.dueMs = Infinity;
      return;
    }
    pending.gridMs = nextMs;
    pending.dueMs = clock.monotonic() + (nextMs - nowMs) + random() * timer.jitterMs;
    this.heap.push(pending);
    if (pending.dueMs < this.timerAt) this.startTimer(pending.dueMs);
  }

  private startTimer(at: number): void {
    this.cancelTimer();
    this.timerAt = at;
    const delayMs = Math.max(0, Math.min(CHECK_MS, at - this.options.clock.monotonic()));
    this.cancelTimer = this.options.clock.schedule(delayMs, () => {
      this.followWallClock();
      this.fireDue();
    });
  }

  private get currentOffsetMs(): number {
    return this.options.clock.now() - this.options.clock.monotonic();
  }

  private followWallClock(): void {
    if (Math.abs(this.currentOffsetMs - this.offsetMs) <= JUMP_MS) return;
    this.offsetMs = this.currentOffsetMs;
    this.heap.clear();
    for (const { pending } of this.pendingByKey.values()) for (const each of pending) this.reschedule(each);
  }

  private reschedule(pending: Pending): void {
    const { clock } = this.options;
    const isSkipped = pending.timer.schedule.type === 'cron' && pending.gridMs <= clock.now();
    if (!isSkipped) {
      pending.gridMs = -Infinity;
      this.schedule(pending);
    } else if (Number.isFinite(pending.dueMs)) {
      pending.dueMs = clock.monotonic();
      this.heap.push(pending);
    }
  }

  /** Fires what is due. Of a calendar, all objects are due at the same time: the rest has its turn after other work. */
  private fireDue(): void {
    const nowMs = this.options.clock.monotonic();
    this.timerAt = Infinity;
    const due: Pending[] = [];
    for (
      let next = this.heap.peek();
      next && next.dueMs <= nowMs && due.length < MOST_PER_TURN;
      next = this.heap.peek()
    ) {
      this.heap.pop();
      due.push(next);
    }
    for (const each of due) this.schedule(each);
    const next = this.heap.peek();
    if (next && next.dueMs < this.timerAt) this.startTimer(next.dueMs);
    for (const { key, timer } of due) this.options.onDue(key, timer);
  }
}

/**
 * Returns the time after which the next one is looked for: the current time, or the last time if the clock is slightly
 * behind it, so that no time is used twice. A wall clock that was set back by more than an interval starts again.
 */
function latestTime(schedule: TimerSchedule, lastMs: number, nowMs: number): number {
  const toleranceMs = schedule.type === 'interval' ? schedule.intervalMs : 60_000;
  return lastMs > nowMs && lastMs - nowMs <= toleranceMs ? lastMs : nowMs;
}

function nextTime(schedule: TimerSchedule, afterMs: number, phase: number): number | undefined {
  if (schedule.type === 'cron') return schedule.cron.next(afterMs);
  const { intervalMs } = schedule;
  const shiftMs = Math.floor(phase * intervalMs);
  return (Math.floor((afterMs - shiftMs) / intervalMs) + 1) * intervalMs + shiftMs;
}

/** Returns a number from 0 to 1, excluding 1, that is always the same for a uid. */
function phaseOf(uid: string): number {
  return createHash('sha1').update(uid).digest().readUInt32BE() / 2 ** 32;
}
