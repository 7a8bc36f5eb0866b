import { countExpression, oneOfRule, type ClassRuleDecorator } from './one-of-rule.js';

/** Asks for exactly one of optional fields. Repeatable with other fields. */
export function ExactlyOneOf(...fields: string[]): ClassRuleDecorator {
  return oneOfRule(
    '@ExactlyOneOf',
    fields,
    (names) => `${countExpression(names)} == 1`,
    `exactly one of the fields in [${fields.join(' ')}] must be set`,
  );
}
