import { apiVersionOf } from '../api/kind-ref.js';
import { isJsonObject, type JsonObject } from '../base/json-object.js';
import { OperatorError } from '../base/operator-error.js';
import { buildResourceModels } from '../resource/build-models.js';
import { KindConversion } from '../resource/conversion/kind-conversion.js';
import { CONVERTS_TO, SPOKES } from '../resource/decorators/converts-to.js';
import { dehydrate } from '../resource/dehydrate.js';
import { ownMetadata } from '../resource/metadata.js';
import type { ResourceClass, ResourceModel } from '../resource/model.js';

/** The versions of a kind and the conversion between them. */
export interface Versions {
  readonly models: readonly ResourceModel[];
  readonly conversion: KindConversion;
}

/**
 * Builds all versions of a kind from the class of any of them.
 *
 * @throws ModelError for invalid classes; OperatorError for a kind without `@ConvertsTo`.
 */
export function versionsOf(kind: ResourceClass): Versions {
  const hub = ownMetadata(CONVERTS_TO, kind)[0]?.hub ?? kind;
  const models = buildResourceModels([hub, ...(ownMetadata(SPOKES, hub) as readonly ResourceClass[])]);
  const conversion = KindConversion.of(models);
  if (conversion) return { models, conversion };
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
