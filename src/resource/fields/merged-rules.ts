import type { SchemaRules } from './value-model.js';

/** The rules of a class and those of a field of it: the field's come first, and those in CEL add up. */
export function mergedRules(ofClass: SchemaRules, ofField: SchemaRules): SchemaRules {
  const validations = [ofClass, ofField].flatMap((rules) => rules['x-kubernetes-validations'] ?? []);
  const rules = { ...ofClass, ...ofField };
  return validations.length > 0 ? { ...rules, 'x-kubernetes-validations': validations } : rules;
}
