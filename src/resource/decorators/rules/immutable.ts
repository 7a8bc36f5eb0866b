import { addClassRule } from './class-rule.js';
import type { SchemaDecorator } from './x-validation.js';

/**
 * Refuses any change of the value.
 *
 * A rule that looks at the old value is not run when there was none: an optional field can still be set later, and
 * removed. To forbid that too, write the rule on the class that has the field:
 * `@XValidation({ rule: 'has(self.zone) == has(oldSelf.zone)' })`.
 */
export function Immutable(): SchemaDecorator {
  return (target, property) => {
    const rules = [{ rule: 'self == oldSelf', message: 'field is immutable' }];
    addClassRule(target, { decorator: '@Immutable', property, rules });
  };
}
