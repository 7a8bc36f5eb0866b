import { toKindRef, type KindLike, type ObjectOf } from '../api/kinds/kind-ref.js';
import type { KubeObject } from '../api/objects/kube-object.js';
import type { Duration } from '../base/duration.js';
import { OperatorError } from '../base/operator-error.js';
import { displayPath } from '../base/display-path.js';
import { optionMs } from '../base/option-ms.js';
import { SystemClock } from '../base/system-clock.js';
import { buildResourceModels } from '../resource/build-models.js';
import { classDocs } from '../resource/doc-comments.js';
import type { Findings } from '../simulation/explore/explore.js';
import type { PlanScope } from '../simulation/explore/plans.js';
import type { InvestigatedProblem, OperatorSimulation } from '../simulation/operator-simulation.js';
import type { WorldView } from '../simulation/oracles/invariants.js';
import type { OracleOptions } from '../simulation/oracles/oracles.js';
import type { WrittenPlan } from '../simulation/plan/written-plan.js';
import type { ScenarioActions } from '../simulation/workload/scenario.js';
import { remainingTestMs, testRun } from './test-run.js';
import { withHint } from './with-hint.js';

/** The objects of a simulated cluster at one moment. */
export interface SimulatedWorld {
  /** Milliseconds of virtual time since the start of the run. */
  readonly at: number;
  list<K extends KindLike>(kind: K): readonly ObjectOf<K>[];
}

/** Conditions by their descriptions. */
export type SimulatedConditions = Readonly<Record<string, (world: SimulatedWorld) => boolean>>;

/** Declarations about an operator, in addition to the rules that each operator must keep. */
export interface SimulationRules {
  /** Hold after each change. */
  readonly always?: SimulatedConditions;
  /** Hold after no change. */
  readonly never?: SimulatedConditions;
  /** Hold when nothing happens any more. */
  readonly eventually?: SimulatedConditions;
  /** Each holds at some moment of some run; otherwise the simulation does not reach what it is to test. */
  readonly sometimes?: SimulatedConditions;
  /** Kinds whose objects stay on purpose when the object for which they were created is deleted. */
  readonly keeps?: readonly KindLike[];
  /** Kinds whose objects the operator may delete and take over although others have created them. */
  readonly touches?: readonly KindLike[];
}

/** The plans to play, and how many of them. */
export interface SimulateOptions extends SimulationRules {
  /**
   * Number of runs after which the search ends: the same ones on each machine. The test fails if the test runner's limit does
   * not suffice for them. Default: as many as the time allows.
   */
  readonly schedules?: number;
  /**
   * Time of the search. Default: 10 s, at most half of what is left of the test runner's limit for the test; no limit with
   * `schedules`.
   */
  readonly for?: Duration;
  /** Names of the only faults; `kindwright simulate --list` prints all. */
  readonly only?: readonly string[];
  /** Names of faults that do not happen. */
  readonly without?: readonly string[];
  /** Objects that exist before the operator starts, each with apiVersion and kind. */
  readonly given?: readonly KubeObject[];
  /** The actions of the user. Default: creation, changes and deletion of objects that the schema and `@Sample` give. */
  readonly scenario?: (actions: ScenarioActions) => void;
  /** The only plan to play: what a failure has printed after `--replay`, or the plan of a generated test. */
  readonly plan?: string | WrittenPlan;
}

/** The result of a simulation without problems. */
export interface SimulationSummary {
  readonly schedules: number;
  /** Hours of virtual time. */
  readonly hours: number;
  /** Names of planned faults that did not happen in any run. */
  readonly neverHappened: readonly string[];
}

/** The error of a simulation that has found a problem. Its message contains the timeline, and how to repeat it. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError';

  constructor(
    message: string,
    /** The smallest plan with the problem, for the option `plan`. */
    readonly plan: WrittenPlan,
  ) {
    super(message);
  }
}

const SEARCH_MS = 10_000;
/** Played also when the time is over: the runs without faults and some with one. */
const LEAST_SCHEDULES = 6;
/** Parts of the test's remaining time for the search, and for the search together with the explanation of a problem. */
const SEARCH_SHARE = 0.5;
const WHOLE_SHARE = 0.9;

/**
 * Runs a class in simulated clusters with crashes, lost answers, stale caches and changes by others. Resolves if no run
 * breaks a rule; time is virtual, so that each takes some milliseconds.
 *
 * The class must be exported by a module that can be loaded alone: it is loaded again in a worker thread, for each life of the
 * operator. Conditions are evaluated in this thread.
 *
 * @throws SimulationError for the first problem, with its smallest plan; ModelError for mistakes in the class; OperatorError
 *   for a class without a module, an unknown fault, or a plan whose faults cannot happen any more
 *
 * @example
 * test('survives what a cluster does', () => simulate(PodSet), 60_000);
 */
export function simulate(target: abstract new () => object, options: SimulateOptions = {}): Promise<SimulationSummary> {
  return withHint(new ClassTest(target, options).run());
}

/** The simulation of one class in a test. */
class ClassTest {
  private readonly clock = new SystemClock();
  private readonly startMs = this.clock.monotonic();
  private readonly testMs = remainingTestMs(testRun()) ?? Infinity;
  private readonly unmet: Map<string, (world: WorldView) => boolean>;

  constructor(
    private readonly target: abstract new () => object,
    private readonly options: SimulateOptions,
  ) {
    this.unmet = new Map(Object.entries(conditions(options.sometimes) ?? {}));
  }

  async run(): Promise<SimulationSummary> {
    const { options, clock } = this;
    assertSchedules(options.schedules);
    const [model] = buildResourceModels([this.target]);
    const file = classDocs(this.target)?.source?.file;
    if (!model || file === undefined) throw withoutModule(this.target.name);
    const [{ OperatorSimulation, scopeOf }, { allOracles }, { scenarioSteps }] = await Promise.all([
      import('../simulation/operator-simulation.js'),
      import('../simulation/oracles/oracles.js'),
      import('../simulation/workload/scenario.js'),
    ]);
    const { only, without, given, scenario, plan } = options;
    const steps = scenario && scenarioSteps(scenario);
    const scope = await scopeOf(model, { only, without, given, steps, depth: 1 });
    const { heldAtSomeMoment } = await import('../simulation/oracles/invariants.js');
    await using simulation = await OperatorSimulation.load([file], {
      workers: 1,
      clock,
      oracles: allOracles(rulesOf(options)),
      onRun: (history) => {
        for (const words of heldAtSomeMoment(history, Object.fromEntries(this.unmet))) this.unmet.delete(words);
      },
    });
    const fail = async (problem: Parameters<OperatorSimulation['investigate']>[0]): Promise<never> => {
      const isOver = (): boolean => this.elapsedMs > this.testMs * WHOLE_SHARE;
      throw await this.failure(await simulation.investigate(problem, scope, isOver), file);
    };
    if (plan !== undefined) {
      const problem = await simulation.replay(plan, scope);
      if (problem) await fail(problem);
      return { schedules: 1, hours: 0, neverHappened: [] };
    }
    const { found, summary } = await this.explored(simulation, scope);
    if (found) await fail(found);
    this.assertMeaningful(summary);
    const { schedules, virtualMs, coverage } = summary;
    return { schedules, hours: virtualMs / 3_600_000, neverHappened: coverage.neverFired };
  }

  private async explored(simulation: OperatorSimulation, scope: PlanScope) {
    const { schedules } = this.options;
    const endMs = this.elapsedMs + this.limitMs;
    let played = 0;
    const { found, ...summary } = await simulation.explore(scope, {
      keepGoing: false,
      schedules,
      // On a slow machine the time may be over before anything was disturbed.
      isOver: () => (this.elapsedMs > endMs && played >= LEAST_SCHEDULES) || this.elapsedMs > this.testMs * WHOLE_SHARE,
      onProgress: (progress) => {
        played = progress.schedules;
      },
    });
    return { found: found[0], summary };
  }

  /** @throws OperatorError if the time did not suffice, or a condition never held */
  private assertMeaningful({ isComplete, coverage, schedules }: Omit<Findings, 'found'>): void {
    const { schedules: limit, for: time } = this.options;
    if (!isComplete && limit !== undefined && time === undefined)
      throw withoutTime(`${String(schedules)} of ${String(limit)} schedules were played`, this.elapsedMs);
    if (!isComplete && coverage.faults.size === 0) throw withoutTime('no fault was simulated', this.elapsedMs);
    if (this.unmet.size > 0) throw neverHeld([...this.unmet.keys()], schedules);
  }

  private get elapsedMs(): number {
    return this.clock.monotonic() - this.startMs;
  }

  private get limitMs(): number {
    const { for: limit, schedules } = this.options;
    if (limit !== undefined) return optionMs('for', limit, SEARCH_MS);
    return schedules === undefined ? Math.min(SEARCH_MS, this.testMs * SEARCH_SHARE) : Infinity;
  }

  private async failure({ shown, replay, plan }: InvestigatedProblem, file: string): Promise<SimulationError> {
    const [{ formatProblem }, { writtenPlan }] = await Promise.all([
      import('../simulation/report/format-problem.js'),
      import('../simulation/plan/written-plan.js'),
    ]);
    const command = this.isKnownToCommand
      ? `npx kindwright simulate ${displayPath(file)} --replay '${replay.replaceAll("'", `'\\''`)}'`
      : `simulate(${this.target.name}, { …, plan: ${JSON.stringify(replay)} })`;
    const lines = formatProblem({ ...shown, replay: command });
    return new SimulationError(lines.join('\n'), writtenPlan(plan));
  }

  /** True if the command judges the same runs as this test. */
  private get isKnownToCommand(): boolean {
    const { for: _, schedules: _schedules, only: _only, without: _without, plan: _plan, ...others } = this.options;
    return Object.keys(others).length === 0;
  }
}

function rulesOf({ always, never, eventually, keeps = [], touches = [] }: SimulationRules): OracleOptions {
  const nameOf = (kind: KindLike): string => toKindRef<KubeObject>(kind).kind;
  return {
    always: conditions(always) ?? {},
    never: conditions(never) ?? {},
    eventually: conditions(eventually) ?? {},
    keeps: keeps.map(nameOf),
    touches: touches.map(nameOf),
  };
}

function conditions(given: SimulatedConditions | undefined): OracleOptions['always'] {
  if (!given) return undefined;
  return Object.fromEntries(
    Object.entries(given).map(([words, holds]) => [words, (view: WorldView) => holds(worldOf(view))]),
  );
}

function worldOf({ at, list }: WorldView): SimulatedWorld {
  return {
    at,
    list: <K extends KindLike>(kind: K) => {
      const { kind: name, group } = toKindRef<KubeObject>(kind);
      const isOfGroup = ({ apiVersion = '' }: KubeObject): boolean =>
        (apiVersion.includes('/') ? apiVersion.split('/', 1)[0] : '') === group;
      return list(name).filter(isOfGroup) as unknown as readonly ObjectOf<K>[];
    },
  };
}

function withoutModule(name: string): OperatorError {
  return new OperatorError(`the module of ${name} is not known`, {
    code: 'E_SIMULATION',
    hint: 'export the class from a module of its own, and compile it with kindwright/vite or kindwright/jest',
  });
}

/** @throws OperatorError (E_CONFIG) */
function assertSchedules(schedules: number | undefined): void {
  if (schedules === undefined || (Number.isInteger(schedules) && schedules > 0)) return;
  throw new OperatorError(`schedules ${String(schedules)} is not a positive integer`, {
    code: 'E_CONFIG',
    hint: 'pass the number of runs, such as 100',
  });
}

function withoutTime(what: string, elapsedMs: number): OperatorError {
  return new OperatorError(`${what} within ${(elapsedMs / 1000).toFixed(1)} s`, {
    code: 'E_SIMULATION',
    hint: 'give the test more time: test(name, () => simulate(…), 60_000)',
  });
}

function neverHeld(names: readonly string[], schedules: number): OperatorError {
  return new OperatorError(`in none of ${String(schedules)} runs: ${names.join('; ')}`, {
    code: 'E_SIMULATION',
    hint: 'write a scenario that leads there, or correct the condition in sometimes',
  });
}
