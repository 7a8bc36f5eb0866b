import type { Trials } from '../explore/trials.js';
import { fingerprint } from '../oracles/oracle.js';
import type { Plan } from '../plan/plan.js';

/** Schedules that are played from each moment. */
const SCHEDULES = 10;

/** A failing plan. */
export interface FailingPlan {
  readonly plan: Plan;
  /** Fingerprint of its problem. */
  readonly problem: string;
}

/**
 * Returns the first of some moments after which every schedule has the problem, without further faults; undefined
 * without such a moment, or if the time is over.
 *
 * The run follows the plan until the moment. If it fails in each of ten schedules from there on, what has happened so far is
 * the cause. A later moment is taken to fail if an earlier one does, so that few moments are tried.
 *
 * @param moments milliseconds of virtual time, in order
 */
export async function inevitableAfter(
  { plan, problem }: FailingPlan,
  moments: readonly number[],
  trials: Trials,
  isOver: () => boolean,
): Promise<number | undefined> {
  const failsAlways = async (afterMs: number): Promise<boolean> => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      if (isOver()) return false;
      const { alarms } = await trials.examine({ ...plan, divergence: { afterMs, seed } });
      if (!alarms.some((alarm) => fingerprint(alarm) === problem)) return false;
    }
    return true;
  };
  let [first, end] = [0, moments.length];
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    if (await failsAlways(moments[middle] ?? 0)) end = middle;
    else first = middle + 1;
  }
  return isOver() ? undefined : moments[end];
}
