import { refused, type AdmissionRequest } from '../admission.js';
import { evaluate } from './expression.js';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/**
 * Whether a request meets all conditions: webhook/matchconditions.
 *
 * One that is false decides; only then errors count, by the failure policy.
 */
export function meetsConditions(
  conditions: readonly MatchCondition[],
  variables: () => Record<string, unknown>,
  failurePolicy: string | undefined,
  request: AdmissionRequest,
): boolean {
  if (conditions.length === 0) return true;
  const context = variables();
  const errors: string[] = [];
  for (const { expression } of conditions) {
    try {
      if (evaluate(expression, context) === false) return false;
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (errors.length === 0) return true;
  if (failurePolicy === 'Ignore') return false;
  throw refused(request, errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`);
}
