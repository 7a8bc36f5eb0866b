import { createRequire } from 'node:module';
import type * as classValidator from 'class-validator';
import type { ClassModel, FieldModel, ValueModel } from './fields/value-model.js';

const load = createRequire(import.meta.url);

/** Returns true if any field has rules that are checked at run time only. */
export function hasRuntimeRules(fields: readonly FieldModel[], seen = new Set<ClassModel>()): boolean {
  return fields.some(({ isRuntimeOnly, value }) => isRuntimeOnly || isIn(value, seen));
}

function isIn({ class: model, items, values }: ValueModel, seen: Set<ClassModel>): boolean {
  if (model && !seen.has(model) && hasRuntimeRules(model.fields, seen.add(model))) return true;
  return [items, values].some((inner) => typeof inner === 'object' && isIn(inner, seen));
}

/** Violations of the rules that are checked at run time only: `spec.hosts: must be lower case`. */
export function runtimeProblems(fields: readonly FieldModel[], instance: object, path = ''): string[] {
  const own = fields.some(({ isRuntimeOnly }) => isRuntimeOnly) ? ownProblems(fields, instance, path) : [];
  const inner = fields.flatMap(({ name, value }) => {
    const member = (instance as Record<string, unknown>)[name];
    return member === undefined || member === null ? [] : valueProblems(value, member, path + name);
  });
  return [...own, ...inner];
}

function valueProblems({ class: model, items, values }: ValueModel, member: unknown, path: string): string[] {
  if (typeof member !== 'object' || member === null) return [];
  if (model) return runtimeProblems(model.fields, member, `${path}.`);
  if (items && Array.isArray(member))
    return member.flatMap((item: unknown, index) => valueProblems(items, item, `${path}[${index}]`));
  return typeof values === 'object'
    ? Object.entries(member).flatMap(([key, item]) => valueProblems(values, item, `${path}[${key}]`))
    : [];
}

function ownProblems(fields: readonly FieldModel[], instance: object, path: string): string[] {
  const { validateSync } = load('class-validator') as typeof classValidator;
  const names = new Set(fields.filter(({ isRuntimeOnly }) => isRuntimeOnly).map(({ name }) => name));
  return validateSync(instance, { forbidUnknownValues: false, validationError: { target: false } })
    .filter(({ property }) => names.has(property))
    .flatMap(({ property, constraints = {} }) =>
      Object.values(constraints).map((message) => `${path}${property}: ${message}`),
    );
}
