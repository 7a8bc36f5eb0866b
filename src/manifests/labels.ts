import type { Operator } from './operator.js';

/** The label of all objects of all operators. */
export const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'kindwright' } as const;

/** Labels of all objects of an operator. */
export function commonLabels({ name }: Pick<Operator, 'name'>): Record<string, string> {
  return { ...MANAGED_BY, 'app.kubernetes.io/name': name };
}
