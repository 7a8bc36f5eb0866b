import { eachObject } from '../../builtin/set-default.js';
import { objectAt, stringAt, type ApiObject, type JsonObject } from '../../object.js';
import { evaluate } from './expression.js';
import { unmetConditions } from './match-conditions.js';
import { withOwnVariables, type PolicyVariables } from './policy-variables.js';

/** What a policy has against a request. */
export interface Violation {
  readonly message: string;
  readonly reason: string;
}

const MAX_MESSAGE_BYTES = 5 * 1024;

/** Evaluates a ValidatingAdmissionPolicy: policy/validating/validator.go. */
export function violations(policy: ApiObject, given: PolicyVariables): Violation[] {
  const spec = objectAt(policy, 'spec');
  const isLenient = spec.failurePolicy === 'Ignore';
  const failed = (error: unknown): Violation[] =>
    isLenient ? [] : [{ message: (error as Error).message, reason: 'Invalid' }];
  const unmet = unmetConditions(spec.matchConditions, given);
  if (unmet === 'unmet') return [];
  if (unmet) return failed(unmet);
  const variables = withOwnVariables(policy, given);
  return eachObject(spec.validations).flatMap((validation) => {
    try {
      if (evaluate(stringAt(validation, 'expression'), variables) === true) return [];
    } catch (error) {
      return failed(error);
    }
    const reason = stringAt(validation, 'reason') || 'Invalid';
    return [{ message: messageOf(validation, variables), reason }];
  });
}

/** A message expression that gives no proper line counts for nothing. */
function messageOf(validation: JsonObject, variables: PolicyVariables): string {
  const [expression, messageExpression] = [
    stringAt(validation, 'expression'),
    stringAt(validation, 'messageExpression'),
  ];
  const fallback = stringAt(validation, 'message').trim() || `failed expression: ${expression.trim()}`;
  if (messageExpression === '') return fallback;
  try {
    const value = evaluate(messageExpression, variables);
    const message = typeof value === 'string' ? value.trim() : '';
    return message === '' || message.includes('\n') || Buffer.byteLength(message) > MAX_MESSAGE_BYTES
      ? fallback
      : message;
  } catch {
    return fallback;
  }
}
