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
  readonly workloads: readonly NamedPlan[];
  /** Names of the faults. */
  readonly faults: readonly string[];
  /** With 2, pairs of faults follow the single ones. */
  readonly depth: 1 | 2;
  /** The seeds that are played last. */
  readonly seeds: number;
}

/** Seeds with the same workload: they share its runs without faults. */
const SEEDS_OF_WORKLOAD = 25;

/** Yields all plans of a scope: single faults in each workload, pairs of faults, seeds. */
export async function* plansOf(scope: PlanScope, trials: Trials): AsyncGenerator<NamedPlan> {
  const seen = new Set<string>();
  const singles: Plan[] = [];
  for (const { name, plan } of scope.workloads) {
    yield { name: `${name}, without faults`, plan };
    const faults = singleFaults(plan, await canonicalRun(plan, trials), scope.faults, seen);
    for (const [index, each] of faults.entries())
      yield { name: `${name}, plan ${String(index + 1)} of ${String(faults.length)}`, plan: each };
    singles.push(...faults);
  }
  if (scope.depth === 2) yield* pairs(singles, scope, trials);
  for (let seed = 0; seed < scope.seeds; seed++) yield await planOfSeed(seed, scope, trials);
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

/** The plans with one fault, those of each fault in turn: a short time then covers all of them. */
function singleFaults(workload: Plan, history: History, faults: readonly string[], seen: Set<string>): Plan[] {
  const placed = [...placeFaults(occurrencesOf(history), faults, { seen }).values()];
  const longest = Math.max(0, ...placed.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, index) => placed.map((list) => list[index])).flat();
  return inTurn.filter((fault) => fault !== undefined).map((fault) => withFaults(workload, [fault]));
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
