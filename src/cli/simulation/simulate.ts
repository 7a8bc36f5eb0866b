import { styleText } from 'node:util';
import { printableText } from '../../base/printable-text.js';
import { SystemClock } from '../../base/system-clock.js';
import { OperatorError } from '../../base/operator-error.js';
import type { ResourceModel } from '../../resource/model.js';
import type { Findings, FoundProblem } from '../../simulation/explore/explore.js';
import { FAULTS } from '../../simulation/faults/registry.js';
import { allOracles } from '../../simulation/oracles/oracles.js';
import {
  chosenFaults,
  OperatorSimulation,
  scopeOf,
  type InvestigatedProblem,
} from '../../simulation/operator-simulation.js';
import { formatFaults } from '../../simulation/plan/fault-text.js';
import { formatProblem } from '../../simulation/report/format-problem.js';
import { countNoun } from '../count-noun.js';
import { ExitCode } from '../exit-codes.js';
import { sourceFiles } from '../find-files.js';
import { loadResources, type LoadedResource } from '../load-resources.js';
import { printLine, printWarning } from '../print-line.js';
import { ReportedError } from '../report-error.js';
import { shellQuoted } from '../shell-quoted.js';
import { stopSignal } from '../stop-signal.js';
import { ProgressLine } from './progress-line.js';
import { SavedTest, type SavedProblem } from './saved-test.js';

/** Command-line options of simulate. */
export interface SimulateFlags {
  readonly schedules?: number;
  readonly keeps?: readonly string[];
  readonly for?: number;
  readonly workers?: number;
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  readonly depth?: 1 | 2;
  readonly replay?: string;
  readonly touches?: readonly string[];
  readonly save?: string;
  readonly json?: boolean;
  readonly keepGoing?: boolean;
  readonly list?: boolean;
}

const DEFAULT_MS = 60_000;

/**
 * Plays operators in simulated clusters, and prints the problems.
 *
 * @throws ReportedError when there is a problem; OperatorError for files or plans that cannot be read
 */
export async function simulateOperators(patterns: readonly string[], options: SimulateFlags): Promise<void> {
  if (options.list === true) {
    printList();
    return;
  }
  chosenFaults(options);
  const signal = stopSignal();
  const simulated = await simulatedResources(patterns);
  const files = sourceFiles(patterns, process.cwd()).map(({ path }) => path);
  const saved = options.save === undefined ? undefined : new SavedTest(options.save);
  let problems = 0;
  for (const resource of simulated) {
    if (signal.aborted) break;
    const simulation = new ClassSimulation(resource, options, signal);
    problems += await simulation.run(files, (problem) => saved?.add(problem));
  }
  if (saved?.write() === true && options.json !== true) printLine(`wrote ${options.save ?? ''}`);
  if (problems > 0) throw new ReportedError(ExitCode.failure);
}

/** @throws OperatorError if no class can be simulated */
async function simulatedResources(patterns: readonly string[]): Promise<LoadedResource[]> {
  const resources = (await loadResources(patterns)).filter(({ model }) => model.isReconciled);
  const simulated = resources.filter(({ model }) => model.definesKind);
  for (const { model } of resources)
    if (!model.definesKind) printWarning(`${model.className} is not simulated: ${NO_KIND}`);
  if (simulated.length > 0) return simulated;
  throw new OperatorError('no class to simulate', {
    code: 'E_NO_OPERATOR',
    hint: 'pass files with a class with @Kind and reconcile',
  });
}

const NO_KIND = 'it defines no kind; simulate it in a test with a scenario';

function printList(): void {
  printLine('faults, for --only and --without:');
  for (const { name, words } of FAULTS) printLine(`  ${name.padEnd(15)}${words}`);
  printLine('\nrules that each run must keep:');
  for (const { name, words } of allOracles()) printLine(`  ${name.padEnd(15)}${words}`);
}

/** The simulation of one class, and its output. */
class ClassSimulation {
  private readonly clock = new SystemClock();
  private readonly startMs = this.clock.monotonic();
  private readonly model: ResourceModel;

  constructor(
    private readonly resource: LoadedResource,
    private readonly options: SimulateFlags,
    private readonly signal: AbortSignal,
  ) {
    this.model = resource.model;
  }

  /** Returns the number of problems. */
  async run(files: readonly string[], onProblem: (problem: SavedProblem) => void): Promise<number> {
    const { options, clock } = this;
    const own = files.filter((file) => file.endsWith(this.resource.sourceFile));
    const { keeps = [], touches = [] } = options;
    await using simulation = await OperatorSimulation.load(own, {
      workers: Math.max(1, options.workers ?? 1),
      clock,
      oracles: allOracles({ keeps, touches }),
    });
    const report = async (found: FoundProblem): Promise<void> => {
      const problem = await simulation.investigate(found, scope);
      this.print(problem);
      const { plan, shown } = problem;
      onProblem({ className: this.model.className, file: own[0] ?? '', message: shown.alarm.message, plan });
    };
    const scope = await scopeOf(this.model, { ...options, depth: options.depth ?? 1 });
    if (options.replay !== undefined) {
      const problem = await simulation.replay(options.replay, scope);
      if (!problem) {
        printLine(`✓ ${this.model.className}: the plan has no problem`);
        return 0;
      }
      await report(problem);
      return 1;
    }
    const findings = await this.search(simulation, scope);
    for (const problem of findings.found) await report(problem);
    this.printSummary(findings);
    return findings.found.length;
  }

  private async search(simulation: OperatorSimulation, scope: Awaited<ReturnType<typeof scopeOf>>): Promise<Findings> {
    const { options, signal, clock, startMs } = this;
    const { schedules } = options;
    const limitMs = options.for ?? (schedules === undefined ? DEFAULT_MS : Infinity);
    const progress = new ProgressLine(this.model.className, process.stderr, clock);
    try {
      return await simulation.explore(scope, {
        keepGoing: options.keepGoing ?? false,
        schedules,
        isOver: () => signal.aborted || clock.monotonic() - startMs > limitMs,
        onProgress: (state) => {
          if (options.json !== true) progress.show(state);
        },
      });
    } finally {
      progress.clear();
    }
  }

  private print({ fingerprint, plan, replay, shown, verdict }: InvestigatedProblem): void {
    const { sourceFile, model } = this.resource;
    const command = `kindwright simulate ${shellQuoted(sourceFile)} --replay ${shellQuoted(replay)}`;
    if (this.options.json === true) {
      const { alarm, timeline } = shown;
      const line = {
        class: model.className,
        fingerprint,
        ...alarm,
        faults: formatFaults(plan.faults),
        plan,
        seed: plan.seed,
      };
      const versions = { node: process.version };
      process.stdout.write(
        `${JSON.stringify({ ...line, ...versions, timeline, hash: verdict.history.hash, replay: command })}\n`,
      );
      return;
    }
    for (const text of formatProblem({ ...shown, replay: command }, paint)) printLine(text);
    printLine('');
  }

  private printSummary({ schedules, found, virtualMs, coverage, isComplete }: Findings): void {
    const { className } = this.model;
    const seconds = (this.clock.monotonic() - this.startMs) / 1000;
    if (this.options.json === true) {
      const { faults, neverFired, undisturbed } = coverage;
      const counts = Object.fromEntries(faults);
      const { user, system } = process.cpuUsage();
      const cpuSeconds = (user + system) / 1e6;
      const speed = { schedules, seconds, cpuSeconds, virtualMs, problems: found.length, isComplete };
      process.stdout.write(
        `${JSON.stringify({ class: className, ...speed, faults: counts, neverFired, undisturbed })}\n`,
      );
      return;
    }
    const mark = found.length === 0 ? '✓' : '✗';
    const life = `${(virtualMs / 3_600_000).toFixed(0)} h of its life`;
    printLine(
      `${mark} ${className}: ${countNoun(found.length, 'problem')} in ${countNoun(schedules, 'schedule')}, ${life}, ${seconds.toFixed(1)} s`,
    );
    if (coverage.neverFired.length > 0) printWarning(`these faults never happened: ${coverage.neverFired.join(', ')}`);
  }
}

function paint(style: 'red' | 'yellow' | 'dim' | 'bold', text: string): string {
  return styleText(style, printableText(text), { stream: process.stdout });
}
