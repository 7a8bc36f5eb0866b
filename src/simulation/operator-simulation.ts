import type { KubeObject } from '../api/objects/kube-object.js';
import { OperatorError } from '../base/operator-error.js';
import type { Clock } from '../base/clock.js';
import type { ResourceModel } from '../resource/model.js';
import { explore, type ExploreOptions, type Findings, type FoundProblem } from './explore/explore.js';
import { planOfSeed, type NamedPlan, type PlanScope } from './explore/plans.js';
import { Trials, type TrialVerdict } from './explore/trials.js';
import { FAULTS } from './faults/registry.js';
import { fingerprint, type Alarm, type Oracle } from './oracles/oracle.js';
import { allOracles } from './oracles/oracles.js';
import { formatFaults, parseFaults, unknownFault } from './plan/fault-text.js';
import type { Plan, WorkloadStep } from './plan/plan.js';
import { parseWrittenPlan, planFor, planOf, writtenPlan, type WrittenPlan } from './plan/written-plan.js';
import type { ShownProblem } from './report/format-problem.js';
import type { History } from './record/history.js';
import { timelineOf, type TimelineEntry } from './report/timeline.js';
import { inevitableAfter } from './shrink/inevitable.js';
import { shrink } from './shrink/shrink.js';
import { workloads, workloadSource } from './workload/workloads.js';
import { Simulation, type PlanRunOptions } from './world/simulate-plan.js';

/** The faults to use. */
export interface FaultChoice {
  readonly only?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
}

export interface OperatorSimulationOptions {
  readonly workers: number;
  readonly clock: Clock;
  readonly oracles?: readonly Oracle[];
  /** Called with each run. */
  readonly onRun?: (history: History) => void;
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
const EXPLAIN_MS = 30_000;

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

  /**
   * Plays one plan: of a seed, of faults as text, or as a whole.
   *
   * @throws OperatorError (E_PLAN) for a plan that cannot be read, or with faults whose moments do not come
   */
  async replay(written: string | WrittenPlan, scope: PlanScope): Promise<FoundProblem | undefined> {
    const { name, plan } = await this.planOf(typeof written === 'string' ? written.trim() : written, scope);
    const verdict = await this.trials.examine(plan);
    const [alarm] = verdict.alarms;
    if (alarm) return { name, plan, alarm, verdict };
    const missed = plan.faults.filter((fault) => !verdict.history.fired.some((fired) => isSame(fired.fault, fault)));
    if (missed.length === 0) return undefined;
    throw new OperatorError(`the run has no moment for: ${formatFaults(missed)}`, {
      code: 'E_PLAN',
      hint: 'the operator no longer does what the plan names; search again without it',
    });
  }

  /** Shrinks a problem, in at most 30 s or until `isOver` returns true, and describes it. */
  async investigate(
    { name, plan, alarm, verdict }: FoundProblem,
    scope: PlanScope,
    isOver = (): boolean => false,
  ): Promise<InvestigatedProblem> {
    const { clock } = this.options;
    const startMs = clock.monotonic();
    const problem = fingerprint(alarm);
    const isAfter = (limitMs: number) => (): boolean => isOver() || clock.monotonic() - startMs > limitMs;
    const shrunk = await shrink(verdict, problem, this.trials, { isOver: isAfter(SHRINK_MS) });
    const own = shrunk.verdict.alarms.find((each) => fingerprint(each) === problem) ?? alarm;
    const shrunkMs = clock.monotonic() - startMs;
    const seconds = (shrunkMs / 1000).toFixed(1);
    const size = `${counted(plan.faults.length, 'fault')} and ${counted(plan.workload.length, 'step')}`;
    return {
      fingerprint: problem,
      plan: shrunk.verdict.plan,
      verdict: shrunk.verdict,
      replay: await this.replayText(shrunk.verdict.plan, problem, scope),
      shown: {
        alarm: own,
        origin: `${name}, shrunk from ${size} in ${seconds} s (${counted(shrunk.runs, 'run')})`,
        timeline: await this.explain(shrunk.verdict, own, isAfter(shrunkMs + EXPLAIN_MS)),
      },
    };
  }

  /** Returns the timeline of a run with the user's lines, and with the step from which every schedule fails. */
  private async explain(
    { plan, history }: TrialVerdict,
    alarm: Alarm,
    isOver: () => boolean,
  ): Promise<TimelineEntry[]> {
    const traced = await this.run(plan, { isTraced: true });
    const shown = traced.hash === history.hash ? traced : history;
    const timeline = timelineOf(shown, alarm);
    if (plan.faults.length === 0) return timeline;
    const moments = [...new Set(timeline.slice(0, -1).map(({ at }) => at))];
    const problem = fingerprint(alarm);
    const inevitableAt = await inevitableAfter({ plan, problem }, moments, this.trials, isOver);
    return timelineOf(shown, alarm, { inevitableAt });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.simulations.map((simulation) => simulation.close()));
  }

  private async run(plan: Plan, options?: PlanRunOptions): Promise<History> {
    const simulation = this.simulations[this.next++ % this.simulations.length];
    if (!simulation) throw new RangeError('a simulation needs a worker');
    const history = await simulation.run(plan, options);
    this.options.onRun?.(history);
    return history;
  }

  private async planOf(written: string | WrittenPlan, scope: PlanScope): Promise<NamedPlan> {
    const known = FAULTS.map((fault) => fault.name);
    if (typeof written !== 'string') return { name: 'plan', plan: planOf(written, known) };
    if (/^\d+$/.test(written)) return planOfSeed(Number(written), scope, this.trials);
    if (written.startsWith('{')) return { name: 'plan', plan: planOf(parseWrittenPlan(written), known) };
    const faults = parseFaults(written, known);
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
    return JSON.stringify(writtenPlan(plan));
  }
}

/** The plans to play. */
export interface ScopeOptions extends FaultChoice {
  readonly depth: 1 | 2;
  /** Objects that exist before the operator starts. */
  readonly given?: readonly KubeObject[] | undefined;
  /** The steps of the user in all plans. Default: those that schema and sample of the class give. */
  readonly steps?: readonly WorkloadStep[] | undefined;
}

/** Returns the scope of a class. */
export async function scopeOf(model: ResourceModel, options: ScopeOptions): Promise<PlanScope> {
  const { depth, given = [], steps } = options;
  const faults = chosenFaults(options);
  if (steps) return { workloads: [{ name: 'scenario', plan: planFor(steps, given) }], faults, depth };
  const found = await workloadSource(model, given);
  const { namespace } = model.controller;
  const { metadata } = found.sample;
  // An operator that watches one namespace sees no objects elsewhere.
  const source = !found.isNamespaced
    ? found
    : { ...found, sample: { ...found.sample, metadata: { ...metadata, namespace } } };
  const all = workloads(source).map(({ name, given, steps, isPlain = false }) => {
    return { name, plan: planFor(steps, given), isPlain };
  });
  return { workloads: all, faults, depth };
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function isSame(a: Plan['faults'][number], b: Plan['faults'][number]): boolean {
  return formatFaults([a]) === formatFaults([b]);
}
