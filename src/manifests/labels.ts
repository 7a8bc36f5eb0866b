import type { Operator } from './operator.js';

/** Labels of all objects of an operator. */
export function commonLabels({ name }: Pick<Operator, 'name'>): Record<string, string> {
  return { 'app.kubernetes.io/managed-by': 'kindwright', 'app.kubernetes.io/name': name };
}
