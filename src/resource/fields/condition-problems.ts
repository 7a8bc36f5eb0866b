import type { JsonSchema } from '../../api/schema/json-schema.js';
import { deepEqual } from '../../base/deep-equal.js';
import type { Problem } from '../model-error.js';
import type { SchemaRules } from './value-model.js';

/** Keywords that define a value instead of restricting it; apiextensions forbids them in conditions (ForbiddenGenerics). */
const FORBIDDEN = [
  'type',
  'title',
  'description',
  'default',
  'nullable',
  'additionalProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const satisfies readonly (keyof JsonSchema)[];

const INT_OR_STRING: readonly JsonSchema[] = [{ type: 'integer' }, { type: 'string' }];

/** Validates that the conditions of a value (`allOf`, `anyOf`, `oneOf`, `not`) are structural. */
export function conditionProblems(rules: SchemaRules): Problem[] {
  return [...problemsBelow(rules, '', rules['x-kubernetes-int-or-string'] === true)];
}

/** Types are allowed only in the conditions that make an integer or string. */
function isIntOrString(conditions: readonly JsonSchema[]): boolean {
  return deepEqual(conditions, INT_OR_STRING);
}

function* problemsBelow(schema: JsonSchema, path: string, mayBeTyped: boolean): Generator<Problem> {
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const conditions = schema[keyword] ?? [];
    if (mayBeTyped && keyword === 'anyOf' && isIntOrString(conditions)) continue;
    for (const [index, condition] of conditions.entries())
      yield* nestedProblems(condition, `${path}${keyword}[${index}]`, mayBeTyped && keyword === 'allOf' && index === 0);
  }
  if (schema.not) yield* nestedProblems(schema.not, `${path}not`, false);
}

function* nestedProblems(condition: JsonSchema, path: string, mayBeTyped: boolean): Generator<Problem> {
  for (const keyword of FORBIDDEN) {
    if (condition[keyword] !== undefined) yield [`${path} must not contain ${keyword}`, `remove ${keyword}`];
  }
  yield* problemsBelow(condition, `${path}.`, mayBeTyped);
  if (condition.items) yield* nestedProblems(condition.items, `${path}.items`, false);
  for (const [name, property] of Object.entries(condition.properties ?? {})) {
    if (name === 'metadata') yield [`${path} must not contain metadata`, 'remove metadata'];
    yield* nestedProblems(property, `${path}.properties.${name}`, false);
  }
}
