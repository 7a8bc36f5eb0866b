import { deepEqual } from '../../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';
import type { Plan, PlannedFault, WorkloadStep } from '../plan/plan.js';

/** Yields plans in which one value is smaller or left out: options of faults, triggers, patches and the waits between steps. */
export function* smallerValues(plan: Plan): Generator<Plan> {
  for (const [index, fault] of plan.faults.entries())
    for (const smaller of smallerFaults(fault)) yield { ...plan, faults: replaced(plan.faults, index, smaller) };
  for (const [index, step] of plan.workload.entries())
    for (const smaller of smallerSteps(step)) yield { ...plan, workload: replaced(plan.workload, index, smaller) };
}

function* smallerFaults(planned: PlannedFault): Generator<PlannedFault> {
  const { options = {}, trigger } = planned;
  for (const [name, value] of Object.entries(options))
    for (const smaller of smallerOption(name, value)) yield { ...planned, options: { ...options, [name]: smaller } };
  if (trigger.nth > 1 && trigger.point !== 'step') yield { ...planned, trigger: { ...trigger, nth: 1 } };
}

function smallerOption(name: string, value: string | number): (string | number)[] {
  if (name === 'restart') return value === 'now' ? [] : ['now'];
  if (typeof value !== 'number') return [];
  if (name === 'ms') return [1000, 10_000].filter((ms) => ms < value);
  return name === 'times' && value > 1 ? [1] : [];
}

function* smallerSteps(step: WorkloadStep): Generator<WorkloadStep> {
  if (step.after === 'quiet') yield { ...step, after: 'answered' };
  if (step.do === 'patch') for (const patch of smallerObjects(step.patch)) yield { ...step, patch };
  if (step.do === 'delete' && step.propagation !== undefined) yield { do: 'delete', object: step.object };
}

/** Leaves out single members of a patch, at any depth. */
function* smallerObjects(value: object): Generator<object> {
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _, ...rest } = value;
    if (Object.keys(rest).length > 0) yield rest;
    if (!isJsonObject(member)) continue;
    for (const smaller of smallerObjects(member)) {
      const next: JsonObject = { ...value, [name]: smaller };
      if (!deepEqual(next, value)) yield next;
    }
  }
}

function replaced<T>(items: readonly T[], index: number, item: T): T[] {
  return items.map((each, at) => (at === index ? item : each));
}
