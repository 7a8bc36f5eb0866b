import { countExpression, oneOfRule, type ClassRuleDecorator } from './one-of-rule.js';

/** Forbids more than one of optional fields. Repeatable with other fields. */
export function AtMostOneOf(...fields: string[]): ClassRuleDecorator {
  return oneOfRule(
    '@AtMostOneOf',
    fields,
    (names) => `${countExpression(names)} <= 1`,
    `at most one of the fields in [${fields.join(' ')}] may be set`,
  );
}
