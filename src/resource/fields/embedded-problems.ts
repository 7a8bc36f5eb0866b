import type { Problem } from '../model-error.js';
import type { ValueModel } from './value-model.js';

/** What every object has, and of which type: validateStructuralInvariants in apiextensions. */
const TYPES: Readonly<Record<string, string>> = { apiVersion: 'string', kind: 'string', metadata: 'object' };

/** What is wrong with a whole object of Kubernetes within another. */
export function embeddedProblems({ class: classModel, rules, type, values }: ValueModel): Problem[] {
  if (rules['x-kubernetes-embedded-resource'] !== true) return [];
  if (type !== 'object' || values !== undefined)
    return [['is to be an object of Kubernetes, and has no fields', 'embeddedResource with a class, or alone']];
  const wrong = (classModel?.fields ?? []).filter(
    ({ name, value }) => Object.hasOwn(TYPES, name) && value.type !== TYPES[name],
  );
  return wrong.map(({ name }) => [`its ${name} is no ${TYPES[name]}`, `@Field() ${name} as every object has it`]);
}
