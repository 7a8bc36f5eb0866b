import { addClassRule } from './class-rule.js';
import { assertCalled, metadataKey } from '../../metadata.js';
import type { SchemaDecorator } from './x-validation.js';

/** Holds no entries: the decorator adds a rule. */
const IMMUTABLE = metadataKey<never>('immutable');

/**
 * Rejects any change of the value.
 *
 * The rule is not evaluated without an old value: an optional field can still be set later, and removed. To forbid that
 * too, add a rule to the class that has the field:
 * `@XValidation({ rule: 'has(self.zone) == has(oldSelf.zone)' })`.
 */
export function Immutable(): SchemaDecorator;
export function Immutable(first?: unknown): SchemaDecorator {
  assertCalled(IMMUTABLE, first);
  return (target, property) => {
    const rules = [{ rule: 'self == oldSelf', message: 'field is immutable' }];
    addClassRule(target, { decorator: '@Immutable', property, rules });
  };
}
