import { OperatorError } from '../base/operator-error.js';
import type { Clock } from '../base/clock.js';
import type { ResourceModel } from '../resource/model.js';
import { explore, type ExploreOptions, type Findings, type FoundProblem } from './explore/explore.js';
import { planOfSeed, type NamedPlan, type PlanScope } from './explore/plans.js';
import { Trials, type TrialVerdict } from './explore/trials.js';
import { FAULTS } from './faults/registry.js';
import { fingerprint, type Oracle } from './oracles/oracle.js';
import { allOracles } from './oracles/oracles.js';
import { formatFaults, parseFaults, unknownFault } from './plan/fault-text.js';
import type { Plan } from './plan/plan.js';
import type { ShownProblem } from './report/format-problem.js';
import { timelineOf } from './report/timeline.js';
import { shrink } from './shrink/shrink.js';
import { workloads, workloadSource } from './workload/workloads.js';
import { Simulation } from './world/simulate-plan.js';

/** The faults to use. */
export interface FaultChoice {
  readonly only?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
}

export interface OperatorSimulationOptions {
  readonly workers: number;
  readonly clock: Clock;
  readonly oracles?: readonly Oracle[];
}

/** A problem with its smallest plan. */
export interface InvestigatedProblem {
  readonly fingerprint: string;
  readonly plan: Plan;
  readonly verdict: TrialVerdict;
  /** The text for `--replay`: faults, or a plan in JSON where faults alone do not repeat the problem. */
  readonly replay: string;
  readonly shown: Omit<ShownProblem, 'replay'>;
}

const SHRINK_MS = 30_000;
const NODES = 2;

/** Returns the names of the chosen faults. @throws OperatorError (E_PLAN) for an unknown name */
export function chosenFaults({ only, without = [] }: FaultChoice): string[] {
  const all = FAULTS.map(({ name }) => name);
  for (const name of [...(only ?? []), ...without]) if (!all.includes(name)) throw unknownFault(name, all);
  return (only ?? all).filter((name) => !without.includes(name));
}

/** Finds the problems of the operator in some files, in simulated clusters. */
export class OperatorSimulation implements AsyncDisposable {
  readonly trials: Trials;
  private next = 0;

  private constructor(
    private readonly simulations: readonly Simulation[],
    private readonly options: OperatorSimulationOptions,
  ) {
    this.trials = new Trials((plan) => this.run(plan), options.oracles ?? allOracles());
  }

  /**
   * Loads the operators of files, once for each worker.
   *
   * @param files absolute paths
   * @throws what the files throw when they are loaded
   */
  static async load(files: readonly string[], options: OperatorSimulationOptions): Promise<OperatorSimulation> {
    const simulations = await Promise.all(Array.from({ length: options.workers }, () => Simulation.load(files)));
    return new OperatorSimulation(simulations, options);
  }

  /** Plays the plans of a scope. */
  explore(scope: PlanScope, options: Omit<ExploreOptions, 'workers'>): Promise<Findings> {
    return explore(scope, this.trials, { ...options, workers: this.options.workers });
  }

  /** Plays one plan: of a seed, of faults as text, or in JSON. */
  async replay(text: string, scope: PlanScope): Promise<FoundProblem | undefined> {
    const { name, plan } = await this.planOf(text.trim(), scope);
    const verdict = await this.trials.examine(plan);
    const [alarm] = verdict.alarms;
    if (alarm) return { name, plan, alarm, verdict };
    const missed = plan.faults.filter((fault) => !verdict.history.fired.some((fired) => isSame(fired.fault, fault)));
    if (missed.length === 0) return undefined;
    throw new OperatorError(`the run has no moment for: ${formatFaults(missed)}`, {
      code: 'E_PLAN',
      hint: 'the operator no longer does what the plan names; search again without --replay',
    });
  }

  /** Shrinks a problem and describes it. */
  async investigate({ name, plan, alarm, verdict }: FoundProblem, scope: PlanScope): Promise<InvestigatedProblem> {
    const { clock } = this.options;
    const startMs = clock.monotonic();
    const problem = fingerprint(alarm);
    const shrunk = await shrink(verdict, problem, this.trials, {
      isOver: () => clock.monotonic() - startMs > SHRINK_MS,
    });
    const { history, alarms } = shrunk.verdict;
    const own = alarms.find((each) => fingerprint(each) === problem) ?? alarm;
    const seconds = ((clock.monotonic() - startMs) / 1000).toFixed(1);
    const size = `${String(plan.faults.length)} faults and ${String(plan.workload.length)} steps`;
    return {
      fingerprint: problem,
      plan: shrunk.verdict.plan,
      verdict: shrunk.verdict,
      replay: await this.replayText(shrunk.verdict.plan, problem, scope),
      shown: {
        alarm: own,
        origin: `${name}, shrunk from ${size} in ${seconds} s (${String(shrunk.runs)} runs)`,
        timeline: timelineOf(history, own),
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.simulations.map((simulation) => simulation.close()));
  }

  private run(plan: Plan): ReturnType<Simulation['run']> {
    const simulation = this.simulations[this.next++ % this.simulations.length];
    if (!simulation) throw new RangeError('a simulation needs a worker');
    return simulation.run(plan);
  }

  private async planOf(text: string, scope: PlanScope): Promise<NamedPlan> {
    if (/^\d+$/.test(text)) return planOfSeed(Number(text), scope, this.trials);
    if (text.startsWith('{')) return { name: 'plan', plan: parsePlan(text) };
    const faults = parseFaults(
      text,
      FAULTS.map((fault) => fault.name),
    );
    const [base] = scope.workloads;
    if (!base) throw new RangeError('a scope has workloads');
    return { name: 'plan', plan: { ...base.plan, faults } };
  }

  /** The faults alone where they repeat the problem with the first workload; otherwise the whole plan. */
  private async replayText(plan: Plan, problem: string, { workloads: [base] }: PlanScope): Promise<string> {
    if (base && plan.faults.length > 0) {
      const short = { ...base.plan, faults: plan.faults };
      const isWhole = JSON.stringify(short) === JSON.stringify(plan);
      const { alarms } = isWhole ? { alarms: [] } : await this.trials.examine(short);
      if (isWhole || alarms.some((alarm) => fingerprint(alarm) === problem)) return formatFaults(plan.faults);
    }
    return JSON.stringify(plan);
  }
}

/** Returns the scope of a class: the workloads that its schema and its sample give. */
export async function scopeOf(
  model: ResourceModel,
  options: FaultChoice & { readonly depth: 1 | 2; readonly seeds: number },
): Promise<PlanScope> {
  const found = await workloadSource(model);
  const { namespace } = model.controller;
  const { metadata } = found.sample;
  // An operator that watches one namespace sees no objects elsewhere.
  const source = !found.isNamespaced
    ? found
    : { ...found, sample: { ...found.sample, metadata: { ...metadata, namespace } } };
  const all = workloads(source).map(({ name, given, steps, isPlain = false }) => {
    return { name, plan: planFor(steps, given), isPlain };
  });
  return { workloads: all, faults: chosenFaults(options), depth: options.depth, seeds: options.seeds };
}

/** Returns a plan without faults. */
function planFor(workload: Plan['workload'], given: Plan['given'] = []): Plan {
  return { seed: 0, given, workload, faults: [], replicas: 1, nodes: NODES, schedule: 'first' };
}

function parsePlan(text: string): Plan {
  try {
    const plan = JSON.parse(text) as Partial<Plan>;
    if (Array.isArray(plan.workload) && Array.isArray(plan.faults)) return { ...planFor([]), ...plan };
  } catch {
    // Reported below, like JSON that does not contain a plan.
  }
  throw new OperatorError('plan: the JSON of the plan cannot be read', {
    code: 'E_PLAN',
    hint: 'paste the text that a simulation has printed after --replay, in single quotes',
  });
}

function isSame(a: Plan['faults'][number], b: Plan['faults'][number]): boolean {
  return formatFaults([a]) === formatFaults([b]);
}
