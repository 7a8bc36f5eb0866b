import { fieldCountRule, type ClassRuleDecorator } from './field-count-rule.js';

/** Asks for exactly one of optional fields. Repeatable with other fields. */
export function ExactlyOneOf(...fields: string[]): ClassRuleDecorator {
  const message = `exactly one of the fields in [${fields.join(' ')}] must be set`;
  return fieldCountRule('@ExactlyOneOf', fields, '== 1', message);
}
