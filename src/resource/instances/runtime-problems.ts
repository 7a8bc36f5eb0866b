import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import type * as classValidator from 'class-validator';
import type { ClassModel, FieldModel, ValueModel } from '../fields/value-model.js';

const load = createRequire(import.meta.url);

/** A violation of a rule that is checked at run time only. */
export interface RuntimeProblem {
  /** Such as `spec.ports[0].name`. */
  readonly field: string;
  readonly message: string;
}

/** The fields that a write of the object itself can change: all but the status if that is a subresource. */
export function writtenFields(fields: readonly FieldModel[], hasStatus: boolean): readonly FieldModel[] {
  return hasStatus ? fields.filter(({ name }) => name !== 'status') : fields;
}

/** Returns true if any field has rules that are checked at run time only. */
export function hasRuntimeRules(fields: readonly FieldModel[], seen = new Set<ClassModel>()): boolean {
  return fields.some(({ isRuntimeOnly, value }) => isRuntimeOnly || isIn(value, seen));
}

function isIn({ class: model, items, values }: ValueModel, seen: Set<ClassModel>): boolean {
  if (model && !seen.has(model) && hasRuntimeRules(model.fields, seen.add(model))) return true;
  return [items, values].some((inner) => typeof inner === 'object' && isIn(inner, seen));
}

/**
 * Violations of the rules that are checked at run time only.
 *
 * @param old - the former state of the instance; objects within it that are equal in both are not checked
 */
export function runtimeProblems(
  fields: readonly FieldModel[],
  instance: object,
  old?: unknown,
  path = '',
): RuntimeProblem[] {
  if (isObject(old) && fields.every(({ name }) => isDeepStrictEqual(member(instance, name), member(old, name))))
    return [];
  const own = fields.some(({ isRuntimeOnly }) => isRuntimeOnly) ? ownProblems(fields, instance, path) : [];
  const inner = fields.flatMap(({ name, value }) =>
    valueProblems(value, member(instance, name), member(old, name), path + name),
  );
  return [...own, ...inner];
}

function valueProblems(
  { class: model, items, values }: ValueModel,
  value: unknown,
  old: unknown,
  path: string,
): RuntimeProblem[] {
  if (!isObject(value)) return [];
  if (model) return runtimeProblems(model.fields, value, old, `${path}.`);
  const inner = Array.isArray(value) ? items : values;
  if (typeof inner !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) =>
    valueProblems(inner, item, member(old, key), `${path}[${key}]`),
  );
}

function ownProblems(fields: readonly FieldModel[], instance: object, path: string): RuntimeProblem[] {
  const { validateSync } = load('class-validator') as typeof classValidator;
  const names = new Set(fields.filter(({ isRuntimeOnly }) => isRuntimeOnly).map(({ name }) => name));
  return validateSync(instance, { forbidUnknownValues: false, validationError: { target: false } })
    .filter(({ property }) => names.has(property))
    .flatMap(({ property, constraints = {} }) =>
      Object.values(constraints).map((message) => ({ field: path + property, message })),
    );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function member(owner: unknown, name: string): unknown {
  return isObject(owner) && Object.hasOwn(owner, name) ? (owner as Readonly<Record<string, unknown>>)[name] : undefined;
}
