import { eachObject, stringAt } from '../objects/api-object.js';
import { Expressions, type Variables } from './expressions.js';
import { admissionDeclarations } from './policy-declarations.js';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** Declarations of webhook match conditions; those of policies also have parameters. */
export const WEBHOOK_CONDITIONS = new Expressions(admissionDeclarations(false));

/**
 * Returns why a request does not meet all conditions: `unmet` if one is false, otherwise the errors of those that
 * failed; undefined if all are met. As in webhook/matchconditions, a false condition takes precedence over errors.
 */
export function unmetConditions(
  conditions: unknown,
  expressions: Expressions,
  variables: Variables,
): 'unmet' | Error | undefined {
  const errors: string[] = [];
  for (const condition of eachObject(conditions)) {
    try {
      if (expressions.evaluate(stringAt(condition, 'expression'), variables) === false) return 'unmet';
    } catch (error) {
      errors.push((error as Error).message);
    }
  }
  if (errors.length === 0) return undefined;
  return new Error(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
}
