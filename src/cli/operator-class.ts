import { KIND_REF } from '../api/kinds/kind-ref.js';
import { CustomResource } from '../resource/custom-resource.js';
import { isAdmissionClass } from '../resource/kinds/admission-class.js';
import { controllerOptions, isObjectController } from '../resource/kinds/controller-class.js';
import type { ResourceClass } from '../resource/model.js';

/** Returns true for a class with `@Kind`, `@Controller({ for })` or `@Admission`. */
export function isAnnotated(value: unknown): value is ResourceClass {
  if (typeof value !== 'function') return false;
  if (isAdmissionClass(value as ResourceClass)) return true;
  return Object.hasOwn(value, KIND_REF) || controllerOptions(value as ResourceClass).for !== undefined;
}

/** Returns true for an annotated class that can run, apart from errors in it. */
export function isOperator(kind: ResourceClass): boolean {
  return kind.prototype instanceof CustomResource || isObjectController(kind) || isAdmissionClass(kind);
}
