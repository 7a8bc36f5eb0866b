import type { PlannedFault, Trigger } from '../plan/plan.js';
import type { RunningPlan } from '../world/running-plan.js';
import type { WorldEvent } from '../world/world-event.js';

/** Values of a fault in a plan. */
export type FaultOptions = NonNullable<PlannedFault['options']>;

/** The state of a fault that has begun; it ends at the latest when the calm phase begins. */
export interface Lasting {
  /** True when it has no further effect. */
  isOver(): boolean;
  end(): void;
}

/** Something that can go wrong. */
export interface Fault {
  /** The name in plans and in `--only`. */
  readonly name: string;
  /** The text for `--list`. */
  readonly words: string;
  /** The moments at which it can begin. */
  readonly points: readonly Trigger['point'][];
  /** The variants that an exhaustive exploration tries at each moment. */
  readonly variants: readonly FaultOptions[];
  /**
   * Begins the fault. Runs within the step in which the trigger happens, so that it can change what follows from it.
   * Returns what lasts, if anything does.
   */
  begin(run: RunningPlan, event: WorldEvent, options: FaultOptions): Lasting | undefined;
}
