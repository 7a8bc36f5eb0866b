import { apiVersionOf } from '../api/kinds/kind-ref.js';
import { isJsonObject, type JsonObject } from '../base/json-object.js';
import { OperatorError } from '../base/operator-error.js';
import { kindConversionOf, type Versions } from '../resource/conversion/kind-conversion-of.js';
import { dehydrate } from '../base/dehydrate.js';
import type { ResourceClass } from '../resource/model.js';

/**
 * The versions of a kind, from the class of any of them.
 *
 * @throws ModelError for invalid classes; OperatorError for a kind without `@ConvertsTo`.
 */
export function versionsOf(kind: ResourceClass): Versions {
  const versions = kindConversionOf(kind);
  if (versions) return versions;
  throw new OperatorError(`${kind.name} has no other versions to convert to`, {
    code: 'E_CONVERSION',
    hint: `add @ConvertsTo(${kind.name}, […]) to the class of another version`,
  });
}

/**
 * Converts an object as the operator does when the API server asks for another version.
 *
 * @param kind the class of any version of the kind
 * @param object an instance or plain object; without `apiVersion`, one of the version of `kind`
 * @param version such as `v1`
 * @returns a plain object; `object` is not changed
 * @example
 * expect(convert(PodSet, { spec: { replicas: 2 } }, 'v1beta1')).toMatchObject({ spec: { size: 2 } });
 */
export function convert(kind: ResourceClass, object: object, version: string): JsonObject {
  const { models, conversion } = versionsOf(kind);
  const own = models.find(({ target }) => target === (kind as unknown)) ?? conversion.hub;
  const plain = dehydrate(object, own.className);
  const complete = { apiVersion: apiVersionOf(own.kind), kind: own.kind.kind, ...(isJsonObject(plain) && plain) };
  return conversion.convert(complete, apiVersionOf({ ...own.kind, version }));
}
