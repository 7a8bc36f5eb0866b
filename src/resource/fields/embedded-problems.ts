import { ownMember } from '../../base/own-member.js';
import type { Problem } from '../model-error.js';
import type { ValueModel } from './value-model.js';

/** The types of the fields that every object has: validateStructuralInvariants in apiextensions. */
const TYPES: Readonly<Record<string, string>> = { apiVersion: 'string', kind: 'string', metadata: 'object' };

/** Validates an embedded Kubernetes object. */
export function embeddedProblems({ class: classModel, rules, type, values }: ValueModel): Problem[] {
  if (rules['x-kubernetes-embedded-resource'] !== true) return [];
  if (type !== 'object' || values !== undefined)
    return [['embeddedResource requires an object with fields', 'use embeddedResource with a class, or alone']];
  return (classModel?.fields ?? []).flatMap(({ name, value }): Problem[] => {
    const required = ownMember(TYPES, name);
    if (required === undefined || value.type === required) return [];
    return [[`${name} must be of type ${required}`, `declare ${name} as in CustomResource`]];
  });
}
