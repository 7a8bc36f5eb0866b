import type { PlannedFault, Trigger } from '../plan/plan.js';
import type { PlanFaults, RunningPlan } from '../world/running-plan.js';
import type { WorldEvent } from '../world/world-event.js';
import type { Fault, Lasting } from './fault.js';
import { faultNamed } from './registry.js';

interface Armed {
  readonly planned: PlannedFault;
  readonly fault: Fault;
  seen: number;
  hasFired: boolean;
}

/** Virtual time that lasting faults get after the last step of the workload. */
const LONGEST_MS = 3_600_000;
const CHECK_MS = 1000;

/** The faults of a plan: waits for their triggers, begins and ends them. */
export class ActiveFaults implements PlanFaults {
  private readonly armed: Armed[];
  private readonly lasting: Lasting[] = [];

  /** @throws OperatorError (E_FAULT) for an unknown fault. */
  constructor(private readonly run: RunningPlan) {
    this.armed = run.plan.faults.map((planned) => ({
      planned,
      fault: faultNamed(planned.fault),
      seen: 0,
      hasFired: false,
    }));
  }

  /** Begins the faults with triggers that happen now. */
  happened(event: WorldEvent): void {
    for (const armed of this.armed) {
      if (armed.hasFired || !matches(armed.planned.trigger, event)) continue;
      armed.seen += 1;
      if (armed.seen < armed.planned.trigger.nth) continue;
      armed.hasFired = true;
      const { world } = this.run;
      world.recorder.fired.push({ fault: armed.planned, at: world.at });
      world.recorder.note(`fault ${armed.planned.fault}`);
      const begun = armed.fault.begin(this.run, event, armed.planned.options ?? {});
      if (begun) this.lasting.push(begun);
    }
  }

  /** Resolves when the faults that have begun are over, at the latest after an hour. */
  async settled(): Promise<void> {
    const { world } = this.run;
    const endMs = world.at + LONGEST_MS;
    while (world.at < endMs && this.lasting.some((fault) => !fault.isOver())) await this.run.wait(CHECK_MS);
  }

  /** Ends all faults, also those that have not begun. */
  end(): void {
    for (const armed of this.armed) armed.hasFired = true;
    for (const fault of this.lasting) fault.end();
    this.run.world.scheduler.releaseAll();
  }
}

function matches({ point, verb, object, subresource }: Trigger, event: WorldEvent): boolean {
  if (point !== event.point) return false;
  // Only requests of the operator are triggers.
  if (event.exchange && !event.process) return false;
  if (verb !== undefined && verb !== event.verb) return false;
  if (object !== undefined && object !== event.object) return false;
  return event.exchange === undefined || point === 'delivered' || subresource === event.subresource;
}
