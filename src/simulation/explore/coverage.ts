import type { History } from '../record/history.js';
import { formatTrigger } from '../plan/trigger-text.js';
import { occurrencesOf } from './occurrences.js';

/** How often a fault was planned, and how often its moment came. */
export interface FaultCount {
  planned: number;
  fired: number;
}

/** Collects what the runs have disturbed, to show what a verdict is worth. */
export class Coverage {
  private readonly counts = new Map<string, FaultCount>();
  private readonly writes = new Set<string>();
  private readonly disturbed = new Set<string>();

  add(history: History): void {
    for (const { fault } of history.plan.faults) this.count(fault).planned += 1;
    for (const { fault } of history.fired) {
      this.count(fault.fault).fired += 1;
      this.disturbed.add(formatTrigger(fault.trigger));
    }
    if (history.plan.faults.length > 0) return;
    for (const { trigger } of occurrencesOf(history).writes) this.writes.add(formatTrigger(trigger));
  }

  get faults(): ReadonlyMap<string, FaultCount> {
    return this.counts;
  }

  /** The names of the faults that never began in any run. */
  get neverFired(): string[] {
    return [...this.counts].filter(([, { fired }]) => fired === 0).map(([fault]) => fault);
  }

  /** The writes of runs without faults after which no fault has happened. */
  get undisturbed(): string[] {
    return [...this.writes].filter((write) => !this.disturbed.has(write));
  }

  private count(fault: string): FaultCount {
    let count = this.counts.get(fault);
    if (!count) this.counts.set(fault, (count = { planned: 0, fired: 0 }));
    return count;
  }
}
