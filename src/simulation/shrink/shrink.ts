import type { Trials, TrialVerdict } from '../explore/trials.js';
import { fingerprint } from '../oracles/oracle.js';
import { objectOfStep } from '../plan/object-of-step.js';
import type { Plan, PlannedFault } from '../plan/plan.js';
import { smallerValues } from './smaller-values.js';

export interface ShrinkOptions {
  /** At most this many runs. Default 500. */
  readonly maxRuns?: number;
  /** Returns true when the time is over. */
  readonly isOver: () => boolean;
}

export interface Shrunk {
  readonly verdict: TrialVerdict;
  readonly runs: number;
}

/**
 * Returns the smallest plan found whose run has the same problem: fewer objects and replicas, then fewer steps, fewer faults, and
 * smaller values.
 *
 * Random values depend on what they are for, so that a part can be left out without a change of the rest.
 */
export async function shrink(
  verdict: TrialVerdict,
  problem: string,
  trials: Trials,
  options: ShrinkOptions,
): Promise<Shrunk> {
  const search = new ShrinkSearch(verdict, problem, trials, options);
  let size: string;
  do {
    size = sizeOf(search.plan);
    await search.tryAll(fewerReplicas(search.plan));
    await search.removeParts(objectsOf, withoutObjects);
    await search.removeParts(
      ({ workload }) => workload,
      (plan, workload) => ({ ...plan, workload }),
    );
    await search.removeParts(
      ({ faults }) => faults,
      (plan, faults) => ({ ...plan, faults }),
    );
    await search.removeParts(
      ({ given }) => given,
      (plan, given) => ({ ...plan, given }),
    );
    for (let smaller = true; smaller;) smaller = await search.tryAll(smallerValues(search.plan));
  } while (sizeOf(search.plan) !== size && !search.isOver);
  return { verdict: search.verdict, runs: search.runs };
}

class ShrinkSearch {
  runs = 0;
  private readonly tried = new Set<string>();

  constructor(
    public verdict: TrialVerdict,
    private readonly problem: string,
    private readonly trials: Trials,
    private readonly options: ShrinkOptions,
  ) {}

  get plan(): Plan {
    return this.verdict.plan;
  }

  get isOver(): boolean {
    return this.runs >= (this.options.maxRuns ?? 500) || this.options.isOver();
  }

  /** Takes the first plan that has the problem. Returns false if none has it. */
  async tryAll(plans: Iterable<Plan>): Promise<boolean> {
    for (const plan of plans) if (await this.try(plan)) return true;
    return false;
  }

  /** Delta debugging: leaves out halves of a list, then quarters, down to single items. */
  async removeParts<T>(
    partsOf: (plan: Plan) => readonly T[],
    withParts: (plan: Plan, parts: readonly T[]) => Plan,
  ): Promise<void> {
    for (let size = partsOf(this.plan).length; size >= 1; size = Math.floor(size / 2))
      for (let start = 0; start < partsOf(this.plan).length;) {
        const parts = partsOf(this.plan);
        const rest = [...parts.slice(0, start), ...parts.slice(start + size)];
        const isSmaller = await this.try(withParts(this.plan, rest));
        if (!isSmaller) start += size;
      }
  }

  private async try(plan: Plan): Promise<boolean> {
    const text = JSON.stringify(plan);
    if (this.isOver || this.tried.has(text) || plan.workload.length === 0) return false;
    this.tried.add(text);
    this.runs += 1;
    const verdict = await this.trials.examine(plan);
    if (!verdict.alarms.some((alarm) => fingerprint(alarm) === this.problem)) return false;
    this.verdict = verdict;
    return true;
  }
}

function fewerReplicas(plan: Plan): Plan[] {
  return [
    ...(plan.schedule === 'first' ? [] : [{ ...plan, schedule: 'first' as const }]),
    ...(plan.replicas > 1 ? [{ ...plan, replicas: 1 }] : []),
    ...(plan.nodes > 1 ? [{ ...plan, nodes: 1 }] : []),
  ];
}

/** The objects of the workload, as the steps name them. */
function objectsOf({ workload }: Plan): string[] {
  return [...new Set(workload.map(objectOfStep))];
}

function withoutObjects(plan: Plan, objects: readonly string[]): Plan {
  const kept = new Set(objects);
  return { ...plan, workload: plan.workload.filter((step) => kept.has(objectOfStep(step))) };
}

function sizeOf({ workload, faults, given, replicas, nodes, schedule }: Plan): string {
  const values = faults.map(({ options }: PlannedFault) => options);
  return JSON.stringify([workload, faults.length, values, given.length, replicas, nodes, schedule]);
}
