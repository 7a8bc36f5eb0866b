import type { JsonObject } from '../objects/api-object.js';
import type { MergeType } from '../schema/merge-type.js';

/** The other versions of a kind, as they are named by those who own fields of its objects. */
export interface FieldVersions {
  /**
   * How objects of the version merge; undefined when there is no such version any more, and nobody can own fields in it.
   *
   * @throws when it matters that there is not.
   */
  typeOf(apiVersion: string): MergeType | undefined;
  /** The object in a version that has a type. */
  convert(object: JsonObject, apiVersion: string): JsonObject;
}

/** The versions of a kind that has but one. */
export const NO_OTHER_VERSIONS: FieldVersions = { typeOf: () => undefined, convert: (object) => object };
