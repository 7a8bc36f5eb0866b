import type { Operator } from './operator.js';

/** On everything that belongs to an operator. */
export function commonLabels({ name }: Operator): Record<string, string> {
  return { 'app.kubernetes.io/managed-by': 'kindwright', 'app.kubernetes.io/name': name };
}
