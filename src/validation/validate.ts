import { buildVersionModel, type ResourceClass } from '../resource/model.js';
import { Validator, type ValidationCause } from './validator.js';

/**
 * Checks an object of an annotated class as the API server would, without a server: schema, metadata and rules in CEL.
 *
 * Returns the server's own causes, in its order; an empty list means that the object is valid. Fields that the schema
 * does not have are reported too, as `kubectl apply` does. With `old` the object is checked as an update of it, with
 * transition rules such as `@Immutable`. `apiVersion`, `kind` and, for a namespaced kind, namespace `default` are added
 * where they are missing. A status is checked like any other field. Admission is not part of the check.
 *
 * @throws ModelError listing every mistake in the class; OperatorError for values that JSON cannot hold.
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
