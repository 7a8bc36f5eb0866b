import type { Plan } from '../plan/plan.js';
import type { KeyedRandom } from './keyed-random.js';
import { StepHeap } from './step-heap.js';
import type { Owner, WorldStep, Task } from './world-step.js';

/** Steps that wait until a time, or until the hold is released. */
export interface Hold {
  readonly matches: (step: WorldStep) => boolean;
  untilMs: number;
}

export interface StepSchedulerOptions {
  readonly schedule: Plan['schedule'];
  readonly divergence?: Plan['divergence'];
  readonly random: KeyedRandom;
  /** Runs a callback when all promises have settled: the `setImmediate` of Node, not the simulated one. */
  readonly settle: (callback: () => void) => void;
  /** Called before each step, with the virtual time of the scheduler. */
  readonly onStep: (step: WorldStep) => void;
  /** Called with what a step throws. */
  readonly onError: (step: WorldStep, error: unknown) => void;
}

/** Depth of the bugs that priorities find: two changes of priority in a run (PCT). */
const PRIORITY_CHANGES = 2;
/** Steps of a run among which the changes are distributed. */
const TYPICAL_STEPS = 600;
/** Steps at one moment after which they happen in their order: a loop of one lane must not starve the others. */
const MAX_STEPS_OF_MOMENT = 2000;

/**
 * Decides what happens next in virtual time. One step runs at a time, and everything that it causes without waiting has
 * happened before the next one.
 */
export class StepScheduler {
  nowMs = 0;
  /** The task with the step that runs now. */
  task: Task | undefined;
  steps = 0;
  private current: WorldStep | undefined;
  private order = 0;
  private readonly future = new StepHeap();
  /** Due steps by lane, in their order. */
  private readonly ready = new Map<string, WorldStep[]>();
  private readonly lastOfLane = new Map<string, number>();
  private readonly holds = new Set<Hold>();
  private readonly changes: ReadonlySet<number>;
  private readonly lowered = new Map<string, number>();
  private stepsOfMoment = 0;
  private pauses = 0;

  constructor(private readonly options: StepSchedulerOptions) {
    const { random } = options;
    this.changes = new Set(
      Array.from({ length: PRIORITY_CHANGES }, (_, index) =>
        Math.floor(random.of(`priority change ${index}`) * TYPICAL_STEPS),
      ),
    );
  }

  /** Adds a step. In an ordered lane it happens after those that were added before, whatever their delay. */
  add(lane: string, task: Task, delayMs: number, run: () => void, isOrdered = true): WorldStep {
    let dueMs = this.nowMs + Math.max(0, Math.round(delayMs));
    if (isOrdered && dueMs > this.nowMs) dueMs = Math.max(dueMs, this.lastOfLane.get(lane) ?? 0);
    if (isOrdered) this.lastOfLane.set(lane, Math.max(dueMs, this.lastOfLane.get(lane) ?? 0));
    const step: WorldStep = { task, lane, dueMs, order: this.order++, run, isCanceled: false };
    this.future.push(step);
    return step;
  }

  /** Holds back steps until the returned hold is released, or its time is over. */
  hold(matches: Hold['matches'], forMs: number): Hold {
    const hold = { matches, untilMs: this.nowMs + forMs };
    this.holds.add(hold);
    return hold;
  }

  release(hold: Hold): void {
    this.holds.delete(hold);
  }

  releaseAll(): void {
    this.holds.clear();
  }

  /** True when the run no longer follows its plan. */
  get isDiverged(): boolean {
    const { divergence } = this.options;
    return divergence !== undefined && this.nowMs > divergence.afterMs;
  }

  /** The steps that are not due yet. */
  waiting(): Iterable<WorldStep> {
    return this.future;
  }

  isLaneHeld(lane: string): boolean {
    const { current } = this;
    return current !== undefined && current.lane === lane && this.isHeld(current);
  }

  /** Puts the running step back to the head of its lane: it happens again when it is not held any more. */
  putBack(): void {
    const { current } = this;
    if (!current) return;
    const again = { ...current };
    const lane = this.ready.get(current.lane);
    if (lane) lane.unshift(again);
    else this.ready.set(current.lane, [again]);
  }

  /** Drops the steps of a process. */
  drop(owner: Owner): void {
    for (const step of this.future) if (step.task.owner === owner) step.isCanceled = true;
    for (const steps of this.ready.values())
      for (const step of steps) if (step.task.owner === owner) step.isCanceled = true;
  }

  /** Lets no step happen, nor time pass, while a promise of the real world is pending. */
  async pausedFor<T>(promise: Promise<T>): Promise<T> {
    this.pauses += 1;
    try {
      return await promise;
    } finally {
      this.pauses -= 1;
    }
  }

  /** Runs steps until `isDone` returns true before one, or the time is over. Returns false if the time is over. */
  run(isDone: () => boolean, untilMs: number): Promise<boolean> {
    const { settle } = this.options;
    return new Promise((resolve) => {
      const turn = (): void => {
        if (this.pauses > 0) {
          settle(turn);
          return;
        }
        if (isDone()) {
          resolve(true);
          return;
        }
        const step = this.next(untilMs);
        if (!step) {
          this.nowMs = Math.max(this.nowMs, Math.min(untilMs, this.nowMs));
          resolve(false);
          return;
        }
        this.play(step);
        settle(turn);
      };
      settle(turn);
    });
  }

  private play(step: WorldStep): void {
    this.steps += 1;
    this.task = step.task;
    if (this.options.schedule === 'priorities' && this.changes.has(this.steps)) this.lowerFirst();
    this.current = step;
    this.options.onStep(step);
    try {
      step.run();
    } catch (error) {
      this.options.onError(step, error);
    }
  }

  /** Takes the next step; undefined if none can happen before the time is over. */
  private next(untilMs: number): WorldStep | undefined {
    for (;;) {
      this.collectDue();
      const lane = this.chosenLane();
      if (lane) {
        this.stepsOfMoment += 1;
        return lane;
      }
      const next = Math.min(this.future.peek()?.dueMs ?? Infinity, this.endOfHolds());
      if (next > untilMs || next === Infinity) return undefined;
      this.nowMs = Math.max(this.nowMs, next);
      this.stepsOfMoment = 0;
      for (const hold of this.holds) if (hold.untilMs <= this.nowMs) this.holds.delete(hold);
    }
  }

  private collectDue(): void {
    for (let step = this.future.peek(); step && step.dueMs <= this.nowMs; step = this.future.peek()) {
      this.future.pop();
      const lane = this.ready.get(step.lane);
      if (lane) lane.push(step);
      else this.ready.set(step.lane, [step]);
    }
  }

  /** The earliest end of a hold that holds back a step. */
  private endOfHolds(): number {
    if (this.holds.size === 0 || this.ready.size === 0) return Infinity;
    return Math.min(...[...this.holds].map(({ untilMs }) => untilMs));
  }

  private chosenLane(): WorldStep | undefined {
    let best: WorldStep | undefined;
    let bestRank = Infinity;
    for (const head of this.heads()) {
      const rank = this.rankOf(head);
      if (rank < bestRank || (rank === bestRank && head.order < (best?.order ?? 0))) {
        best = head;
        bestRank = rank;
      }
    }
    if (best) this.ready.get(best.lane)?.shift();
    return best;
  }

  /** The first step of each lane that is not held back. */
  private *heads(): Generator<WorldStep> {
    for (const [name, steps] of this.ready) {
      while (steps[0]?.isCanceled === true) steps.shift();
      const [head] = steps;
      if (!head) this.ready.delete(name);
      else if (!this.isHeld(head)) yield head;
    }
  }

  private isHeld(step: WorldStep): boolean {
    for (const hold of this.holds) if (hold.matches(step)) return true;
    return false;
  }

  private rankOf(step: WorldStep): number {
    const { schedule, random, divergence } = this.options;
    if (divergence && this.isDiverged)
      return (step.rank ??= random.next(`order ${divergence.seed} ${step.task.label}`));
    if (schedule === 'first' || this.stepsOfMoment > MAX_STEPS_OF_MOMENT) return step.dueMs;
    if (schedule === 'random') return (step.rank ??= random.next(`order ${step.task.label}`));
    return this.lowered.get(step.lane) ?? random.of(`priority ${step.lane}`);
  }

  /** Gives the lane that would be next the lowest priority from now on. */
  private lowerFirst(): void {
    let first: WorldStep | undefined;
    for (const [head] of this.ready.values())
      if (head && (!first || this.rankOf(head) < this.rankOf(first))) first = head;
    if (first) this.lowered.set(first.lane, 2 + this.steps);
  }
}
