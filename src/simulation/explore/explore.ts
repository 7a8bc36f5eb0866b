import { fingerprint, type Alarm } from '../oracles/oracle.js';
import type { Plan } from '../plan/plan.js';
import { Coverage } from './coverage.js';
import { plansOf, type NamedPlan, type PlanScope } from './plans.js';
import type { Trials, TrialVerdict } from './trials.js';

/** A failing run. Its first alarm is the problem; others are consequences of it. */
export interface FoundProblem {
  readonly name: string;
  readonly plan: Plan;
  readonly alarm: Alarm;
  readonly verdict: TrialVerdict;
}

export interface ExploreOptions {
  /** Plans that are played at the same time. */
  readonly workers: number;
  /** Look for further problems after the first one. */
  readonly keepGoing: boolean;
  /** Returns true when no further plan is to be started. */
  readonly isOver: () => boolean;
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly schedules: number;
  readonly problems: number;
  /** Milliseconds of virtual time of all runs. */
  readonly virtualMs: number;
}

export interface Findings extends Progress {
  readonly found: readonly FoundProblem[];
  readonly coverage: Coverage;
  /** False if the time was over before the last plan. */
  readonly isComplete: boolean;
}

/**
 * Plays the plans of a scope and returns the problems, each once.
 *
 * A problem of a run without faults is returned alone: all others would be its consequences.
 */
export async function explore(scope: PlanScope, trials: Trials, options: ExploreOptions): Promise<Findings> {
  const search = new Search(options);
  const [base] = scope.workloads;
  if (base) for (const verdict of await trials.faultFree(base.plan)) search.add('without faults', verdict);
  if (search.hasFound) return search.findings(false);
  const isComplete = await search.play(plansOf(scope, trials), (plan) => trials.examine(plan));
  return search.findings(isComplete);
}

class Search {
  private readonly problems = new Map<string, FoundProblem>();
  private readonly coverage = new Coverage();
  private schedules = 0;
  private virtualMs = 0;

  constructor(private readonly options: ExploreOptions) {}

  get hasFound(): boolean {
    return this.problems.size > 0;
  }

  get mustStop(): boolean {
    return this.hasFound && !this.options.keepGoing;
  }

  /** Plays plans until they end, the time is over, or a problem is found. Returns true if they ended. */
  async play(plans: AsyncGenerator<NamedPlan>, examine: (plan: Plan) => Promise<TrialVerdict>): Promise<boolean> {
    let isComplete = false;
    const work = async (): Promise<void> => {
      while (!this.options.isOver() && !this.mustStop) {
        const next = await plans.next();
        if (next.done === true) {
          isComplete = true;
          return;
        }
        const { name, plan } = next.value;
        this.add(name, await examine(plan));
      }
    };
    await Promise.all(Array.from({ length: this.options.workers }, work));
    return isComplete;
  }

  add(name: string, verdict: TrialVerdict): void {
    const { history, alarms, plan } = verdict;
    this.schedules += 1;
    this.virtualMs += Math.max(...[history.calm, history.poked, history.removed].map((snapshot) => snapshot?.at ?? 0));
    this.coverage.add(history);
    const [alarm] = alarms;
    const isNew = alarm !== undefined && !alarms.some((each) => this.problems.has(fingerprint(each)));
    if (isNew) this.problems.set(fingerprint(alarm), { name, plan, alarm, verdict });
    this.options.onProgress(this.progress);
  }

  findings(isComplete: boolean): Findings {
    return { ...this.progress, found: [...this.problems.values()], coverage: this.coverage, isComplete };
  }

  private get progress(): Progress {
    return { schedules: this.schedules, problems: this.problems.size, virtualMs: this.virtualMs };
  }
}
