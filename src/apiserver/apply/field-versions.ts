import type { JsonObject } from '../objects/api-object.js';
import type { MergeType } from '../schema/merge-type.js';

/** The versions of a kind in which managers may own fields of its objects. */
export interface FieldVersions {
  /**
   * Returns the merge type of a version; undefined when the version no longer exists, so that its owners are dropped.
   * @throws when a missing version is an error
   */
  typeOf(apiVersion: string): MergeType | undefined;
  /** Converts the object to a version that has a type. */
  convert(object: JsonObject, apiVersion: string): JsonObject;
}

/** Used for kinds with only one version. */
export const NO_OTHER_VERSIONS: FieldVersions = { typeOf: () => undefined, convert: (object) => object };
