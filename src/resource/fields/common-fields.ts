import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import type { FieldEntry } from '../decorators/field.js';
import type { FieldClass } from '../decorators/field-options.js';
import { isOfDefinition, type ValueModel } from './value-model.js';

/** Fields of every Kubernetes object; a kind may describe them in its own words. */
const COMMON_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata'];

export function isCommonField(name: string): boolean {
  return COMMON_FIELDS.includes(name);
}

/**
 * Validates the declaration of such a field and returns its model, without the fields of an ObjectMeta of Kubernetes, which
 * the API server defines: validateStructuralMetadataInvariants in apiextensions.
 */
export function commonFieldModel(
  location: Location & { readonly member: string },
  entry: FieldEntry,
  declared: ValueModel,
  diagnostics: Diagnostics,
): ValueModel {
  const { member } = location;
  const value = isOfDefinition(declared.class) ? { ...declared, class: undefined } : declared;
  if (member === 'metadata') collectMetadata(location, entry, value, diagnostics);
  else if (value.type !== 'string') diagnostics.add(location, 'must be of type string', `@Field() ${member}: string`);
  return value;
}

function collectMetadata(
  location: Location,
  { description, options }: FieldEntry,
  value: ValueModel,
  diagnostics: Diagnostics,
): void {
  const other = Object.keys(options).filter((option) => !['type', 'optional', 'validations'].includes(option));
  if (
    description !== undefined ||
    other.length > 0 ||
    (options.validations ?? []).length > 0 ||
    Object.keys(value.rules).length > 0
  )
    diagnostics.add(location, 'must not have rules', 'declare rules for name and generateName in its class');
  const members = value.class?.fields ?? [];
  for (const { name } of members.filter((field) => field.name !== 'name' && field.name !== 'generateName'))
    diagnostics.add(location, `must not restrict ${name}, only name and generateName`, `remove ${name}`);
  if (value.type !== 'object')
    diagnostics.add(location, 'must be of type object', `@Field({ type: () => Meta }) metadata`);
}

/**
 * Fields of a kind's own class that objects may leave out although the class does not declare them as optional.
 *
 * The API server adds apiVersion, kind and metadata itself, and removes the status of a new object. Properties with an
 * initializer keep its value when the object has none.
 */
export function omissibleRootFields(target: FieldClass): ReadonlySet<string> {
  return new Set([...COMMON_FIELDS, 'status', ...initializedProperties(target)]);
}

/** Compilers keep no trace of initializers, so a new instance shows which properties have one. */
function initializedProperties(target: FieldClass): string[] {
  let instance: object;
  try {
    instance = Reflect.construct(target, []) as object;
  } catch {
    return []; // collectReconciler reports the error
  }
  return Object.entries(instance).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
