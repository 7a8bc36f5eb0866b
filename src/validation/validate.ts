import { buildVersionModel } from '../resource/build-models.js';
import type { ResourceClass } from '../resource/model.js';
import { Validator, type ValidationCause } from './validator.js';

/**
 * Validates an object of an annotated class like the API server, without a server: schema, metadata and CEL rules.
 *
 * Returns the causes of the API server's error, in its order; an empty list means that the object is valid. Unknown
 * fields are reported too, as with `kubectl apply`. With `old`, the object is validated as an update of it, with
 * transition rules such as `@Immutable`. Missing `apiVersion` and `kind` and, for namespaced kinds, the namespace
 * `default` are added. A status is validated like any other field. An object without errors is checked against the rules of
 * `@RuntimeOnly` properties too; with `old`, those of objects that differ. Admission is not part of the validation.
 *
 * @throws ModelError with all diagnostics of the class; OperatorError for values that JSON cannot represent.
 * @example
 * const causes = await validate(PodSet, { metadata: { name: 'a' }, spec: { size: -1 } });
 */
export async function validate(kind: ResourceClass, object: object, old?: object): Promise<ValidationCause[]> {
  let pending = validators.get(kind);
  if (!pending) {
    pending = Validator.load(buildVersionModel(kind));
    validators.set(kind, pending);
  }
  return (await pending).causes(object, old);
}

const validators = new WeakMap<ResourceClass, Promise<Validator>>();
