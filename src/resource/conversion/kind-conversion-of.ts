import { buildResourceModels } from '../build-models.js';
import { CONVERTS_TO, SPOKES } from '../decorators/converts-to.js';
import { ownMetadata } from '../metadata.js';
import type { ResourceClass, ResourceModel } from '../model.js';
import { KindConversion } from './kind-conversion.js';

/** All versions of a kind, and the conversion between them. */
export interface Versions {
  readonly models: readonly ResourceModel[];
  readonly conversion: KindConversion;
}

/** Returns true if the versions of the class's kind convert with `@ConvertsTo`. */
export function hasConversion(kind: ResourceClass): boolean {
  return ownMetadata(CONVERTS_TO, kind).length > 0 || ownMetadata(SPOKES, kind).length > 0;
}

/**
 * The versions of a kind, from the class of any of them; undefined for a kind without `@ConvertsTo`.
 *
 * @throws ModelError for invalid classes.
 */
export function kindConversionOf(kind: ResourceClass): Versions | undefined {
  const hub = ownMetadata(CONVERTS_TO, kind)[0]?.hub ?? kind;
  const spokes = ownMetadata(SPOKES, hub);
  if (spokes.length === 0) return undefined;
  const models = buildResourceModels([hub, ...spokes]);
  const conversion = KindConversion.of(models);
  return conversion && { models, conversion };
}
