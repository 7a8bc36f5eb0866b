/**
 * The priority of a reconcile among those that wait. `low` is also that of objects of the initial list, which have not changed.
 *
 * No priority starves: after eight of a higher priority in a row, one of a lower priority is taken.
 */
export type Priority = 'high' | 'normal' | 'low';

/** The highest first. */
export const PRIORITIES: readonly Priority[] = ['high', 'normal', 'low'];

export function isPriority(value: unknown): value is Priority {
  return PRIORITIES.includes(value as Priority);
}

export function isHigher(priority: Priority, other: Priority): boolean {
  return PRIORITIES.indexOf(priority) < PRIORITIES.indexOf(other);
}
