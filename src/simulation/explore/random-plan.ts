import { formatFault } from '../plan/fault-text.js';
import type { Plan, PlannedFault } from '../plan/plan.js';

const MAX_FAULTS = 8;

/** A source of numbers from 0 to 1, excluding 1. */
export type Draw = () => number;

/** Returns a source of numbers that depend on the seed only: mulberry32, which is in the public domain. */
function drawsOf(seed: number): Draw {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns the plan of a seed: the workload of `base`, and one to eight faults.
 *
 * Each fault is possible in a quarter of the plans, so that some plans consist of few faults that happen often, which
 * finds more than equal shares. Half of the schedules choose uniformly, half by priorities.
 *
 * @param places the places of each fault in the run of `base` without faults
 */
export function randomPlan(seed: number, base: Plan, places: ReadonlyMap<string, readonly PlannedFault[]>): Plan {
  const draw = drawsOf(seed);
  const schedule = draw() < 0.5 ? 'random' : 'priorities';
  const all = [...places.values()].filter((planned) => planned.length > 0);
  const possible = all.filter(() => draw() < 0.25);
  if (possible.length === 0 && all.length > 0) possible.push(pick(all, draw));
  const chosen = new Map<string, PlannedFault>();
  for (let count = faultCount(draw); count > 0 && possible.length > 0; count--) {
    const fault = pick(pick(possible, draw), draw);
    chosen.set(formatFault(fault), fault);
  }
  return { ...base, seed, schedule, faults: [...chosen.values()] };
}

/**
 * Returns a workload of 3 to 12 steps of the given ones, in an order of their own. The same number gives the same workload.
 *
 * Steps that the server then refuses, such as a change of a deleted object, are part of it: users make them too.
 */
export function randomWorkload(number: number, workloads: readonly Plan[]): Plan {
  const draw = drawsOf(number);
  const base = pick(workloads, draw);
  const steps = workloads.flatMap(({ workload }) => workload.slice(1));
  const count = steps.length === 0 ? 0 : 2 + Math.floor(draw() * 10);
  const more = Array.from({ length: count }, () => pick(steps, draw));
  return { ...base, workload: [...base.workload.slice(0, 1), ...more] };
}

/** A geometric distribution with the mean 2. */
function faultCount(draw: Draw): number {
  let count = 1;
  while (count < MAX_FAULTS && draw() < 0.5) count += 1;
  return count;
}

/** Returns one of the items; there must be at least one. */
function pick<T>(items: readonly T[], draw: Draw): T {
  return items[Math.floor(draw() * items.length)] as T;
}
