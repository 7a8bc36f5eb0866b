import { eachObject } from '../../builtin/set-default.js';
import { stringAt } from '../../object.js';
import { evaluate } from './expression.js';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/**
 * What keeps a request from meeting all conditions: `unmet` when one is false, else the errors of those that could not
 * be evaluated; undefined when all are met. As in webhook/matchconditions, one that is false decides whatever else fails.
 */
export function unmetConditions(conditions: unknown, variables: Record<string, unknown>): 'unmet' | Error | undefined {
  const errors: string[] = [];
  for (const condition of eachObject(conditions)) {
    try {
      if (evaluate(stringAt(condition, 'expression'), variables) === false) return 'unmet';
    } catch (error) {
      errors.push((error as Error).message);
    }
  }
  if (errors.length === 0) return undefined;
  return new Error(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
}
