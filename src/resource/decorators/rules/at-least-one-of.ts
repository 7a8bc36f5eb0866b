import { fieldCountRule, type ClassRuleDecorator } from './field-count-rule.js';

/** Asks for one or more of optional fields. Repeatable with other fields. */
export function AtLeastOneOf(...fields: string[]): ClassRuleDecorator {
  const message = `at least one of the fields in [${fields.join(' ')}] must be set`;
  return fieldCountRule('@AtLeastOneOf', fields, '>= 1', message);
}
