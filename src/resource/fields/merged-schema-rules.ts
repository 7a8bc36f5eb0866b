import type { SchemaRules } from './value-model.js';

/** Merges the rules of a class and of a field with that class as type: the field's take precedence, CEL rules add up. */
export function mergedSchemaRules(ofClass: SchemaRules, ofField: SchemaRules): SchemaRules {
  const validations = [ofClass, ofField].flatMap((rules) => rules['x-kubernetes-validations'] ?? []);
  const rules = { ...ofClass, ...ofField };
  return validations.length > 0 ? { ...rules, 'x-kubernetes-validations': validations } : rules;
}
