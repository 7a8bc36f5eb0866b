import { eachObject } from '../objects/api-object.js';
import { stringAt } from '../objects/api-object.js';
import { Expressions, type Variables } from './expressions.js';
import { admissionDeclarations } from './policy-declarations.js';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** The conditions of webhooks; those of a policy may speak of its parameters too. */
export const WEBHOOK_CONDITIONS = new Expressions(admissionDeclarations(false));

/**
 * What keeps a request from meeting all conditions: `unmet` when one is false, else the errors of those that could not
 * be evaluated; undefined when all are met. As in webhook/matchconditions, one that is false decides whatever else fails.
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
