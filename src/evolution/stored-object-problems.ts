import { deepClone } from '../base/deep-clone.js';
import type { JsonSchema } from '../api/schema/json-schema.js';
import type { JsonObject } from '../base/json-object.js';
import { compileRules } from '../crd/cel/compile-rules.js';
import { prune } from '../crd/schema/prune.js';
import { listTypeErrors, SchemaValidator } from '../crd/schema/schema-validator.js';
import { applyStructuralDefaults } from '../crd/schema/structural-defaults.js';

/**
 * Returns a function that lists the errors and dropped fields of an object that was stored under an older schema.
 *
 * Defaults are applied first, as on the server. Transition rules are skipped.
 */
export function storedObjectProblems(schema: JsonSchema): (object: JsonObject) => string[] {
  const validator = new SchemaValidator(schema);
  const rules = compileRules(schema, true);
  return (object) => {
    const problems: string[] = [];
    const dropped = { unknown: (path: string) => problems.push(`${path}: would be dropped`) };
    const { metadata, ...body } = prune(schema, deepClone(object), dropped, '', true) as JsonObject;
    applyStructuralDefaults(schema, body);
    const errors = [...validator.validate({ ...body, metadata }), ...listTypeErrors(schema, body, '')];
    if (errors.length === 0) errors.push(...rules.validate({ ...body, metadata }, undefined));
    return [...problems, ...errors.map(({ field, body: what }) => `${field}: ${what}`)].sort();
  };
}
