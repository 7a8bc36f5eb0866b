import { fingerprint, type Alarm, type Oracle } from '../oracles/oracle.js';
import { judge } from '../oracles/oracles.js';
import type { Plan } from '../plan/plan.js';
import type { History } from '../record/history.js';
import { directSteps } from '../workload/workloads.js';

/** Plays a plan and returns what happened. */
export type RunPlan = (plan: Plan) => Promise<History>;

/** A run and what is wrong with it. */
export interface TrialVerdict {
  readonly plan: Plan;
  readonly history: History;
  readonly alarms: readonly Alarm[];
}

/** Runs without faults with which a run is compared. */
const REFERENCES = 3;
/** Workloads of which the reference runs are kept, each with one replica and with two. */
const MAX_KEPT = 32;

/** Plays plans and judges the runs by comparison with runs of the same workload without faults. */
export class Trials {
  /** Runs since the start, those of the references included. */
  runs = 0;
  private readonly references = new Map<string, Promise<readonly TrialVerdict[]>>();
  private readonly directs = new Map<string, Promise<History>>();

  constructor(
    private readonly play: RunPlan,
    private readonly oracles: readonly Oracle[],
  ) {}

  /** Plays a plan and returns what is wrong with its run, without alarms that its runs without faults raise too. */
  async examine(plan: Plan): Promise<TrialVerdict> {
    const verdicts = await this.faultFree(plan);
    const wrong = plan.faults.length === 0 ? verdicts.find(({ alarms }) => alarms.length > 0) : undefined;
    return wrong ?? this.judged(plan, verdicts);
  }

  private async judged(plan: Plan, verdicts: readonly TrialVerdict[]): Promise<TrialVerdict> {
    const known = new Set(verdicts.flatMap(({ alarms }) => alarms.map(fingerprint)));
    const same = verdicts.find((verdict) => isSameRun(verdict.plan, plan));
    const history = same?.history ?? (await this.run(plan));
    const references = verdicts.map((verdict) => verdict.history);
    const alarms = judge(this.oracles, history, references, await this.direct(plan)).filter(
      (alarm) => !known.has(fingerprint(alarm)),
    );
    return { plan, history, alarms };
  }

  /** Plays a plan with its faults, without a judgement. */
  run(plan: Plan): Promise<History> {
    this.runs += 1;
    return this.play(plan);
  }

  /** Returns the runs without faults of the workload of a plan, in different schedules; the first one is canonical. */
  faultFree(plan: Plan): Promise<readonly TrialVerdict[]> {
    const { given, workload, replicas, nodes } = plan;
    const key = JSON.stringify([given, workload, replicas, nodes]);
    const known = this.references.get(key);
    if (known) return known;
    const found = this.playFaultFree(plan);
    this.references.set(key, found);
    keepNewest(this.references);
    return found;
  }

  private async playFaultFree(plan: Plan): Promise<readonly TrialVerdict[]> {
    const plans = Array.from({ length: REFERENCES }, (_, seed): Plan => {
      return { ...plan, seed, faults: [], schedule: seed === 0 ? 'first' : 'random', divergence: undefined };
    });
    const histories = await Promise.all(plans.map((each) => this.run(each)));
    const direct = await this.direct(plan);
    return histories.map((history, index) => ({
      plan: plans[index] ?? plan,
      history,
      // Itself first: it is compared with the last spec only, without the fields that differ between schedules.
      alarms: judge(this.oracles, history, [history, ...histories.filter((other) => other !== history)], direct),
    }));
  }

  /** Returns the run that creates the last state of the workload directly; undefined if the workload does so itself. */
  private direct(plan: Plan): Promise<History> | undefined {
    const workload = directSteps(plan.workload);
    const { given, replicas, nodes } = plan;
    const key = JSON.stringify([given, workload, replicas, nodes]);
    if (workload.length === 0 || workload.length === plan.workload.length) return undefined;
    const known = this.directs.get(key);
    if (known) return known;
    const found = this.run({ ...plan, workload, seed: 0, faults: [], schedule: 'first', divergence: undefined });
    this.directs.set(key, found);
    keepNewest(this.directs);
    return found;
  }
}

/** A run without faults depends on its schedule, beside the workload. */
function isSameRun(a: Plan, b: Plan): boolean {
  return b.faults.length === 0 && a.schedule === b.schedule && a.seed === b.seed;
}

function keepNewest(kept: Map<string, unknown>): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) return;
    kept.delete(oldest);
  }
}
