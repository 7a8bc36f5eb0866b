import { matchesSelector } from '../../../api/selection/label-selector.js';
import { isJsonObject, numberAt, objectAt, stringAt, type ApiObject } from '../../objects/api-object.js';
import type { PodLoad } from './node-loads.js';

/** A node and the pods to preempt on it. */
export interface Candidate {
  readonly node: ApiObject;
  /** Most important first. */
  readonly victims: readonly PodLoad[];
  /** Number of victims that violate a disruption budget. */
  readonly violations: number;
}

/**
 * Returns the fewest and least important pods to preempt on a node, or the reasons why preemption would not help: pods
 * of lower priority are all removed, then reprieved as far as there is room, those protected by a budget first.
 */
export function candidateOn(
  node: ApiObject,
  others: readonly PodLoad[],
  load: PodLoad,
  budgets: readonly ApiObject[],
  problemsBeside: (kept: readonly PodLoad[]) => string[],
): Candidate | string[] {
  const isLower = (other: PodLoad): boolean => other.priority < load.priority;
  const lower = others.filter(isLower).sort(byImportance);
  if (lower.length === 0) return ['No preemption victims found for incoming pod'];
  const kept = others.filter((other) => !isLower(other));
  const problems = problemsBeside(kept);
  if (problems.length > 0) return problems;
  const { violating, others: free } = splitByBudget(lower, budgets);
  const reprieve = (loads: readonly PodLoad[]): PodLoad[] =>
    loads.filter((victim) => {
      const hasRoom = problemsBeside([...kept, victim]).length === 0;
      if (hasRoom) kept.push(victim);
      return !hasRoom;
    });
  const violations = reprieve(violating);
  return { node, victims: [...violations, ...reprieve(free)].sort(byImportance), violations: violations.length };
}

/** Returns the candidate with the least disruption. */
export function leastDisruptive(candidates: readonly Candidate[]): Candidate | undefined {
  const harm = ({ victims, violations }: Candidate): number[] => [
    violations,
    victims[0]?.priority ?? 0,
    victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
    victims.length,
    -Math.min(...victims.filter(({ priority }) => priority === victims[0]?.priority).map(startOf)),
  ];
  const compare = (a: readonly number[], b: readonly number[]): number =>
    a.map((value, index) => value - (b[index] ?? value)).find((difference) => difference !== 0) ?? 0;
  return [...candidates].sort((a, b) => compare(harm(a), harm(b)))[0];
}

function byImportance(a: PodLoad, b: PodLoad): number {
  return b.priority - a.priority || startOf(a) - startOf(b);
}

function startOf({ pod }: PodLoad): number {
  return Date.parse(stringAt(pod.status, 'startTime')) || Number.MAX_SAFE_INTEGER;
}

function splitByBudget(
  loads: readonly PodLoad[],
  budgets: readonly ApiObject[],
): { violating: PodLoad[]; others: PodLoad[] } {
  const allowed = new Map(budgets.map((budget) => [budget, numberAt(budget.status, 'disruptionsAllowed') ?? 0]));
  const violating: PodLoad[] = [];
  const others: PodLoad[] = [];
  for (const load of loads) {
    let isViolating = false;
    for (const budget of budgets) {
      if (!keeps(budget, load.pod)) continue;
      const left = (allowed.get(budget) ?? 0) - 1;
      allowed.set(budget, left);
      isViolating ||= left < 0;
    }
    (isViolating ? violating : others).push(load);
  }
  return { violating, others };
}

/** Returns whether a budget counts the pod as not yet disrupted. */
function keeps(budget: ApiObject, { metadata }: ApiObject): boolean {
  const { selector } = objectAt(budget, 'spec');
  if (budget.metadata.namespace !== metadata.namespace || !metadata.labels || !isJsonObject(selector)) return false;
  if (Object.keys(selector).length === 0 || !matchesSelector(selector, metadata.labels)) return false;
  return objectAt(objectAt(budget, 'status'), 'disruptedPods')[metadata.name] === undefined;
}
