import { isJsonObject } from '../base/json-object.js';

/**
 * A switch for a part of an API and of its operator. Kubernetes' stages: an `alpha` feature is disabled by default, a `beta`
 * feature is enabled by default, and a `ga` feature is always enabled.
 *
 * @example
 * `export const BACKUPS: FeatureGate = { name: 'Backups', stage: 'alpha' };`
 */
export interface FeatureGate {
  /** In camel case with a capital, as in Kubernetes; unique in a project. */
  readonly name: string;
  readonly stage: 'alpha' | 'beta' | 'ga';
}

/** States of feature gates by name; `AllAlpha` and `AllBeta` are those of a stage. */
export type FeatureGates = Readonly<Record<string, boolean>>;

/** An option of decorators. */
export interface Gated {
  /** The decorator has no effect while this gate is disabled. */
  readonly gate?: FeatureGate;
}

/** Separates the gate from the other options, which JavaScript may leave out or replace by any value. */
export function splitGate<T extends object>(
  options: T & Gated,
): { readonly gate: FeatureGate | undefined; readonly rest: T } {
  const given: unknown = options;
  if (!isJsonObject(given)) return { gate: undefined, rest: options };
  const { gate, ...rest } = options;
  return { gate, rest: rest as T };
}

/** The gates that stand for all of a stage. */
export const GATES_OF_STAGES = { alpha: 'AllAlpha', beta: 'AllBeta' } as const;

let states: ReadonlyMap<string, boolean> = new Map();

/**
 * Sets the states of feature gates for this process, in place of those set before. Models that are built afterwards use them,
 * so that they must be set before a manager or a cluster of tests gets the classes. Commands call it with `--feature-gates`.
 */
export function setFeatureGates(gates: FeatureGates): void {
  states = new Map(Object.entries(gates));
}

/** Returns true if the feature is enabled: for code of a reconcile that belongs to it. */
export function isFeatureEnabled({ name, stage }: FeatureGate): boolean {
  if (stage === 'ga') return true;
  return states.get(name) ?? states.get(GATES_OF_STAGES[stage]) ?? stage === 'beta';
}
