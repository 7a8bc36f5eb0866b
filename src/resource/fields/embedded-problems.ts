import type { Problem } from '../model-error.js';
import type { ValueModel } from './value-model.js';

/** The types of the fields that every object has: validateStructuralInvariants in apiextensions. */
const TYPES: Readonly<Record<string, string>> = { apiVersion: 'string', kind: 'string', metadata: 'object' };

/** Validates an embedded Kubernetes object. */
export function embeddedProblems({ class: classModel, rules, type, values }: ValueModel): Problem[] {
  if (rules['x-kubernetes-embedded-resource'] !== true) return [];
  if (type !== 'object' || values !== undefined)
    return [['embeddedResource requires an object with fields', 'use embeddedResource with a class, or alone']];
  const wrong = (classModel?.fields ?? []).filter(
    ({ name, value }) => Object.hasOwn(TYPES, name) && value.type !== TYPES[name],
  );
  return wrong.map(({ name }) => [`${name} must be of type ${TYPES[name]}`, `declare ${name} as in CustomResource`]);
}
