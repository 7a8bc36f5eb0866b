import { fieldCountRule, type ClassRuleDecorator } from './field-count-rule.js';

/** Forbids more than one of optional fields. Repeatable with other fields. */
export function AtMostOneOf(...fields: string[]): ClassRuleDecorator {
  const message = `at most one of the fields in [${fields.join(' ')}] may be set`;
  return fieldCountRule('@AtMostOneOf', fields, '<= 1', message);
}
