import type { JsonSchema } from '../../api/json-schema.js';
import type { Problem } from '../model-error.js';
import type { ValueModel } from './value-model.js';

/** Whether rules in CEL see a value at all: SchemaDeclType in apiserver leaves out what can be anything. */
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

/** What is wrong with giving a value rules in CEL. */
export function visibilityProblems(value: ValueModel): Problem[] {
  if (value.rules['x-kubernetes-validations'] === undefined || isSeenByCel(value)) return [];
  return [['has rules in CEL, which do not see what can be anything', 'give it a type, or put the rules elsewhere']];
}
