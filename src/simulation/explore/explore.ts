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
  /** The number of schedules after which the search ends. Default: without an end. */
  readonly schedules?: number | undefined;
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
  /** True if all schedules were played; false if the search ended before. */
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
  if (!search.hasFound) await search.play(plansOf(scope, trials), (plan) => trials.examine(plan));
  return search.findings();
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

  /** Plays plans until all schedules are played, the time is over, or a problem is found. */
  async play(plans: AsyncGenerator<NamedPlan, never>, examine: (plan: Plan) => Promise<TrialVerdict>): Promise<void> {
    // Counted when they begin, so that the number of workers makes no difference.
    let left = this.limit - this.schedules;
    const work = async (): Promise<void> => {
      while (left > 0 && !this.options.isOver() && !this.mustStop) {
        left -= 1;
        const { name, plan } = (await plans.next()).value;
        this.add(name, await examine(plan));
      }
    };
    await Promise.all(Array.from({ length: this.options.workers }, work));
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

  findings(): Findings {
    const found = [...this.problems.values()];
    return { ...this.progress, found, coverage: this.coverage, isComplete: this.schedules >= this.limit };
  }

  private get limit(): number {
    return this.options.schedules ?? Infinity;
  }

  private get progress(): Progress {
    return { schedules: this.schedules, problems: this.problems.size, virtualMs: this.virtualMs };
  }
}
