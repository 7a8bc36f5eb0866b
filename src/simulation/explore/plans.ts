import { formatFaults } from '../plan/fault-text.js';
import type { Plan, PlannedFault } from '../plan/plan.js';
import type { History } from '../record/history.js';
import { occurrencesOf } from './occurrences.js';
import { placeFaults } from './placements.js';
import { randomPlan, randomWorkload } from './random-plan.js';
import type { Trials } from './trials.js';

/** A plan, and its name in the output. */
export interface NamedPlan {
  readonly name: string;
  readonly plan: Plan;
}

/** The parts that can be varied in the runs of an operator. */
export interface PlanScope {
  /** Each gets the single faults at events that the workloads before it do not have. */
  readonly workloads: readonly (NamedPlan & { readonly isPlain?: boolean })[];
  /** Names of the faults. */
  readonly faults: readonly string[];
  /** With 2, pairs of faults follow the single ones. */
  readonly depth: 1 | 2;
}

/** Seeds with the same workload: they share its runs without faults. */
const SEEDS_OF_WORKLOAD = 25;

/** Workloads of which the single faults are played in turn, so that their runs without faults are kept. */
const GROUP_SIZE = 12;
/** Plans with a fault that are played after each workload of a group. */
const FAULTS_BETWEEN = 4;

/**
 * Yields the plans of a scope, without end: the workloads, with a few of their faults after each; the other single faults, in
 * turn; pairs of faults; seeds. A short time then covers different changes as well as different faults.
 */
export async function* plansOf(scope: PlanScope, trials: Trials): AsyncGenerator<NamedPlan, never> {
  const seen = new Set<string>();
  const singles: Plan[] = [];
  for (let start = 0; start < scope.workloads.length; start += GROUP_SIZE) {
    const queue = new FaultQueue(scope.faults);
    for (const workload of scope.workloads.slice(start, start + GROUP_SIZE)) {
      const { name, plan } = workload;
      yield { name: `${name}, without faults`, plan };
      if (workload.isPlain !== true)
        queue.add(workload, placeFaults(occurrencesOf(await canonicalRun(plan, trials)), scope.faults, { seen }));
      yield* queue.take(FAULTS_BETWEEN);
    }
    yield* queue.take(Infinity);
    singles.push(...queue.taken);
  }
  if (scope.depth === 2) yield* pairs(singles, scope, trials);
  for (let seed = 0; ; seed++) yield await planOfSeed(seed, scope, trials);
}

/** The single faults of some workloads: each fault in turn, and of each fault those of each workload in turn. */
class FaultQueue {
  readonly taken: Plan[] = [];
  /** The plans that are left of each workload, by fault. */
  private readonly left: Map<string, NamedPlan[][]>;

  constructor(faults: readonly string[]) {
    this.left = new Map(faults.map((fault) => [fault, []]));
  }

  add({ name, plan }: NamedPlan, placed: ReadonlyMap<string, readonly PlannedFault[]>): void {
    const count = String([...placed.values()].flat().length);
    let index = 0;
    for (const [fault, found] of placed)
      this.left.get(fault)?.push(
        found.map((each) => {
          index += 1;
          return { name: `${name}, plan ${String(index)} of ${count}`, plan: withFaults(plan, [each]) };
        }),
      );
  }

  *take(count: number): Generator<NamedPlan> {
    for (let taken = 0; taken < count; taken++) {
      const [next] = this.left;
      if (!next) return;
      const [fault, [workload = [], ...others]] = next;
      this.left.delete(fault);
      const [plan, ...rest] = workload;
      const left = [...others, rest].filter(({ length }) => length > 0);
      // To the end, so that the other faults are next. A later workload may add to one without plans.
      this.left.set(fault, left);
      if (!plan) {
        taken -= 1;
        if ([...this.left.values()].every(({ length }) => length === 0)) return;
        continue;
      }
      this.taken.push(plan.plan);
      yield plan;
    }
  }
}

/** Returns the plan of a seed. */
export async function planOfSeed(seed: number, scope: PlanScope, trials: Trials): Promise<NamedPlan> {
  const workload = randomWorkload(
    Math.floor(seed / SEEDS_OF_WORKLOAD),
    scope.workloads.map(({ plan }) => plan),
  );
  const history = await canonicalRun(workload, trials);
  const places = placeFaults(occurrencesOf(history), scope.faults, { isThorough: true });
  const plan = randomPlan(seed, workload, places);
  return { name: `seed ${String(seed)}`, plan: withFaults(plan, plan.faults) };
}

async function canonicalRun(workload: Plan, trials: Trials): Promise<History> {
  const [first] = await trials.faultFree(workload);
  return first?.history ?? trials.run({ ...workload, faults: [], schedule: 'first' });
}

/** The pairs of each fault with those that its own run offers afterwards. */
async function* pairs(singles: readonly Plan[], { faults }: PlanScope, trials: Trials): AsyncGenerator<NamedPlan> {
  const seen = new Set<string>();
  for (const single of singles) {
    const history = await trials.run(single);
    const [first] = history.fired;
    if (!first) continue;
    const later = occurrencesOf(history);
    for (const second of [...placeFaults(later, faults).values()].flat()) {
      const plan = withFaults(single, [...single.faults, second]);
      const text = formatFaults(plan.faults);
      if (seen.has(text) || !isLater(second, later, first.at)) continue;
      seen.add(text);
      yield { name: `pair ${String(seen.size)}`, plan };
    }
  }
}

function isLater({ trigger }: PlannedFault, run: ReturnType<typeof occurrencesOf>, at: number): boolean {
  const all = [...run.writes, ...run.requests, ...run.events, ...run.reconciles];
  const moment = all.find((each) => each.trigger.point === trigger.point && isSameTrigger(each.trigger, trigger));
  return moment !== undefined && moment.at >= at;
}

function isSameTrigger(a: PlannedFault['trigger'], b: PlannedFault['trigger']): boolean {
  return a.verb === b.verb && a.object === b.object && a.subresource === b.subresource && a.nth === b.nth;
}

/** Takeover needs a second replica that can take the lease. */
function withFaults(workload: Plan, faults: readonly PlannedFault[]): Plan {
  const needsStandby = faults.some(({ fault }) => fault === 'takeover' || fault === 'two-leaders');
  return { ...workload, faults, replicas: needsStandby ? Math.max(2, workload.replicas) : workload.replicas };
}
