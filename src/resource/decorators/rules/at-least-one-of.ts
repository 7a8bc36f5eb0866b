import { oneOfRule, type ClassRuleDecorator } from './one-of-rule.js';
import { hasField } from './cel-expressions.js';
/** Asks for one or more of optional fields. Repeatable with other fields. */
export function AtLeastOneOf(...fields: string[]): ClassRuleDecorator {
  return oneOfRule(
    '@AtLeastOneOf',
    fields,
    (names) => names.map(hasField).join('||'),
    `at least one of the fields in [${fields.join(' ')}] must be set`,
  );
}
