import type { ValidationRule } from '../../../api/schema/json-schema.js';
import { splitGate, type Gated } from '../../feature-gates.js';
import { assertCalled, metadataKey } from '../../metadata.js';
import { addClassRule } from './class-rule.js';

/** Holds no entries: the decorator adds a rule. */
const X_VALIDATION = metadataKey<never>('xValidation');

/** A decorator for a class as well as for a property. */
export type SchemaDecorator = (target: object, property?: string) => void;

/**
 * Adds a rule in CEL, checked by the API server: `self` is the object of the class, or the value of the property.
 *
 * @example
 * `@XValidation({ rule: 'self.min <= self.max', message: 'min must not exceed max' })`
 */
export function XValidation(options: ValidationRule & Gated): SchemaDecorator {
  assertCalled(X_VALIDATION, options);
  const { gate, rest: rule } = splitGate<ValidationRule>(options);
  return (target, property) => {
    addClassRule(target, { decorator: '@XValidation', property, rules: [rule], gate });
  };
}
