import { eachObject, objectAt, stringAt, without, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { Variables } from '../../expressions/expressions.js';
import { unmetConditions } from '../../expressions/match-conditions.js';
import { PolicyExpressions } from '../../expressions/policy-expressions.js';

/** A failed validation of a policy. */
export interface Violation {
  /** The index of the validation in the policy. */
  readonly index: number;
  readonly message: string;
  readonly reason: string;
}

/** The result of evaluating a policy. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** Audit annotations by key. */
  readonly notes: readonly (readonly [key: string, value: string])[];
}

const MAX_MESSAGE_BYTES = 5 * 1024;
const MAX_NOTE_BYTES = 10 * 1024;

/** Evaluates a ValidatingAdmissionPolicy: policy/validating/validator.go. */
export function verdictOf(policy: ApiObject, given: Variables): Verdict {
  const spec = objectAt(policy, 'spec');
  const { conditions } = PolicyExpressions.of(policy);
  const unmet = unmetConditions(spec.matchConditions, conditions, given);
  if (unmet === 'unmet') return { violations: [], notes: [] };
  if (unmet) return { violations: failure(spec, 0, unmet), notes: [] };
  const noted = notesOf(policy, spec, given);
  return { violations: [...violationsOf(policy, spec, given), ...noted.violations], notes: noted.notes };
}

/** Returns a violation for an expression error, unless the policy ignores failures. */
function failure({ failurePolicy }: JsonObject, index: number, error: unknown): Violation[] {
  return failurePolicy === 'Ignore' ? [] : [{ index, message: (error as Error).message, reason: 'Invalid' }];
}

function violationsOf(policy: ApiObject, spec: JsonObject, given: Variables): Violation[] {
  const expressions = PolicyExpressions.of(policy);
  const variables = expressions.withOwn(given);
  return eachObject(spec.validations).flatMap((validation, index) => {
    try {
      if (expressions.validations.evaluate(stringAt(validation, 'expression'), variables) === true) return [];
    } catch (error) {
      return failure(spec, index, error);
    }
    const reason = stringAt(validation, 'reason') || 'Invalid';
    return [{ index, message: messageOf(validation, expressions, given), reason }];
  });
}

function notesOf(policy: ApiObject, spec: JsonObject, given: Variables): Verdict {
  const expressions = PolicyExpressions.of(policy);
  const variables = expressions.withOwn(withoutAuthorizer(given));
  const violations: Violation[] = [];
  const notes = eachObject(spec.auditAnnotations).flatMap((annotation, index) => {
    try {
      const value = expressions.validations.evaluate(stringAt(annotation, 'valueExpression').trim(), variables);
      const text = typeof value === 'string' ? value.trim() : '';
      const note = Buffer.from(text).subarray(0, MAX_NOTE_BYTES).toString();
      return text === '' ? [] : [[stringAt(annotation, 'key'), note] as const];
    } catch (error) {
      violations.push(...failure(spec, index, error));
      return [];
    }
  });
  return { violations, notes };
}

/** Returns the message of a violation; a message expression with an invalid result is ignored. */
function messageOf(validation: JsonObject, expressions: PolicyExpressions, given: Variables): string {
  const [expression, messageExpression] = [
    stringAt(validation, 'expression'),
    stringAt(validation, 'messageExpression'),
  ];
  const fallback = stringAt(validation, 'message').trim() || `failed expression: ${expression.trim()}`;
  if (messageExpression === '') return fallback;
  try {
    const value = expressions.messages.evaluate(messageExpression, expressions.withOwn(withoutAuthorizer(given)));
    const message = typeof value === 'string' ? value.trim() : '';
    return message === '' || message.includes('\n') || Buffer.byteLength(message) > MAX_MESSAGE_BYTES
      ? fallback
      : message;
  } catch {
    return fallback;
  }
}

/** Hides the authorizer from message and audit expressions, including in variables. */
function withoutAuthorizer(given: Variables): Variables {
  return without(given, 'authorizer', 'authorizer.requestResource');
}
