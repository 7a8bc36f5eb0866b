import type { DeepPartial } from '../../api/objects/kube-object.js';
import type { StoredOf, WritableOf } from '../../api/objects/stored-object.js';
import type { CustomResource } from '../custom-resource.js';
import type { ConversionStep } from './conversion-step.js';
import { metadataKey, prependMetadata } from '../metadata.js';

/**
 * Converts whole objects where steps are not enough. Both functions get a copy of the object that they may change, and
 * return the object of the other version. apiVersion, kind and metadata are taken from the source, except for labels and
 * annotations that the result sets: `{}` removes them.
 *
 * Server-side apply converts objects that contain only the fields of one manager: any field can be absent, and none may
 * be added that does not follow from those that are there.
 */
export interface ConversionFunctions<T, H> {
  /** From this version to the hub. */
  up(object: DeepPartial<StoredOf<T>>): DeepPartial<WritableOf<H>>;
  /** From the hub to this version. */
  down(hub: DeepPartial<StoredOf<H>>): DeepPartial<WritableOf<T>>;
}

/** How the API server's `/convert` requests for a version are answered. */
export type ConversionRules = readonly ConversionStep[] | ConversionFunctions<unknown, unknown>;

/** The arguments of one `@ConvertsTo`. */
export interface ConvertsToEntry {
  readonly hub: abstract new (...args: never[]) => object;
  readonly rules: ConversionRules;
}

export const CONVERTS_TO = metadataKey<ConvertsToEntry>('convertsTo');

/** The classes that convert to a hub, as an entry of the hub. */
export const SPOKES = metadataKey<abstract new (...args: never[]) => object>('spokes');

/**
 * Converts objects of this version to those of another class with the same kind, the hub, and back.
 *
 * All versions of a kind but the hub have the decorator, so that any version converts to any other through the hub.
 * Steps name the differences; all other fields must be equal in both versions, which is checked when the class is
 * loaded. Steps also convert objects with only some of their fields.
 */
export function ConvertsTo(
  hub: abstract new (...args: never[]) => CustomResource,
  steps: readonly ConversionStep[],
): (target: abstract new (...args: never[]) => CustomResource) => void;
export function ConvertsTo<T extends CustomResource, H extends CustomResource>(
  hub: abstract new (...args: never[]) => H,
  functions: ConversionFunctions<T, H>,
): (target: abstract new (...args: never[]) => T) => void;
export function ConvertsTo(
  hub: ConvertsToEntry['hub'],
  rules: ConversionRules,
): (target: abstract new (...args: never[]) => object) => void {
  return (target) => {
    prependMetadata(CONVERTS_TO, target, { hub, rules });
    if (typeof hub === 'function') prependMetadata(SPOKES, hub, target);
  };
}
