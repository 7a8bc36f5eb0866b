import { deepClone } from '../../base/deep-clone.js';
import type { KubeObject } from '../objects/kube-object.js';

/** The part of a kind that a cache holds: a selection of its objects and of their fields. Created by `partOf`. */
export interface KindPart {
  /** Equal for parts with equal options. */
  readonly key: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Undefined: the namespaces of the operator. */
  readonly namespaces?: readonly string[];
  /** True if PartialObjectMetadata is requested instead of whole objects. */
  readonly isMetadataOnly: boolean;
  /** The paths of the fields that are held; undefined if all are. */
  readonly fields?: readonly string[];
  /** Changes the held objects, so that a change of one cannot be sent as a patch. */
  readonly transform?: (object: KubeObject) => KubeObject;
  /** True if reads of the kind itself use this cache, also if a transform has changed its objects. */
  readonly servesKind?: true;
  /** Returns the held part of an object; undefined if objects are held whole. */
  readonly reduce?: (object: KubeObject) => KubeObject;
  /** Returns whether the selectors match; undefined if only the server knows. */
  readonly matches: (object: KubeObject) => boolean | undefined;
}

/** Returns the fields of an object that the part of the kind holds. */
export function heldPart({ part }: { readonly part?: KindPart }, object: KubeObject): KubeObject {
  // A copy, because a transform may change the object, which a cache of the whole kind may hold.
  return part?.reduce ? part.reduce(deepClone(object)) : object;
}
