import { formatTime } from '../../base/timestamp.js';

/** metav1.Condition: one aspect of an object's state. */
export interface ConditionLike {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

/** The conditions of `setCondition` without an `observedGeneration` of their own. */
const withoutGeneration = new WeakSet<ConditionLike>();

/**
 * Returns the list with `condition` added, or in place of the one of the same type. `lastTransitionTime` changes only
 * together with `status`.
 *
 * In a reconcile, a condition without `observedGeneration` gets the generation of the object that the reconcile read, if
 * the conditions of the class have this field.
 *
 * Equivalent to meta.SetStatusCondition of apimachinery.
 */
export function setCondition(
  conditions: readonly ConditionLike[] | undefined,
  condition: Omit<ConditionLike, 'lastTransitionTime'>,
  now: string = formatTime(),
): ConditionLike[] {
  const others = conditions ?? [];
  const present = others.find(({ type }) => type === condition.type);
  const since = present?.status === condition.status ? present.lastTransitionTime : now;
  const next: ConditionLike = { ...condition, lastTransitionTime: since };
  if (next.observedGeneration === undefined) withoutGeneration.add(next);
  return present ? others.map((other) => (other === present ? next : other)) : [...others, next];
}

/** Sets the condition `Ready` of a status, as `setCondition` does. */
export function setReady(
  status: { conditions?: ConditionLike[] },
  isReady: boolean,
  reason: string,
  message: string,
): void {
  const condition = { type: 'Ready', status: isReady ? 'True' : 'False', reason, message };
  status.conditions = setCondition(status.conditions, condition);
}

/** Adds the generation to conditions that `setCondition` has set without one; others are not changed. */
export function addObservedGeneration(conditions: unknown, generation: number | undefined): void {
  if (!Array.isArray(conditions) || generation === undefined) return;
  for (const condition of conditions as ConditionLike[])
    if (withoutGeneration.delete(condition)) condition.observedGeneration = generation;
}
