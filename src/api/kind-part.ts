import type { KubeObject } from './kube-object.js';

/** The part of a kind that a cache holds: which objects, and what of each. Made by `partOf`. */
export interface KindPart {
  /** Equal for parts that hold the same. */
  readonly key: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Undefined: the namespaces of the operator. */
  readonly namespaces?: readonly string[];
  /** True if the API server is asked for PartialObjectMetadata instead of whole objects. */
  readonly isMetadataOnly: boolean;
  /** The paths of the fields that are held; undefined if all are. */
  readonly fields?: readonly string[];
  /** Returns the held part of an object; undefined if objects are held whole. */
  readonly reduce?: (object: KubeObject) => KubeObject;
  /** Returns whether the selectors match; undefined if only the server knows. */
  readonly matches: (object: KubeObject) => boolean | undefined;
}
