import { COMMON_FIELDS } from './common-fields.js';
import type { FieldClass } from './field-options.js';

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
    return []; // checkReconciler reports the error
  }
  return Object.entries(instance).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
