import type { JsonSchema } from '../../api/schema/json-schema.js';
import type { Problem } from '../model-error.js';
import type { ValueModel } from './value-model.js';

/** Returns true if CEL rules can access a value: SchemaDeclType in apiserver leaves out values of any type. */
export function isSeenByCel({ type, rules, schema, items, values }: ValueModel): boolean {
  if (schema) return isSchemaSeen(schema);
  if (rules['x-kubernetes-int-or-string'] === true) return true;
  if (type === 'array') return items !== undefined && isSeenByCel(items);
  if (typeof values === 'object') return isSeenByCel(values);
  return type !== undefined;
}

function isSchemaSeen(schema: JsonSchema): boolean {
  const { type, items, additionalProperties } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return true;
  if (type === 'array') return items !== undefined && isSchemaSeen(items);
  if (typeof additionalProperties === 'object') return isSchemaSeen(additionalProperties);
  return type !== undefined;
}

/** Validates that CEL rules can access the value that they are declared for. */
export function visibilityProblems(value: ValueModel): Problem[] {
  if (value.rules['x-kubernetes-validations'] === undefined || isSeenByCel(value)) return [];
  return [
    ['has CEL rules, which cannot access a value of any type', 'declare a type, or move the rules to another field'],
  ];
}
