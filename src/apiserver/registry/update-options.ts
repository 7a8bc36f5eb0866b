import type { ApiObject, JsonObject } from '../objects/api-object.js';
import type { OddMetadata } from './applied-configuration.js';
import type { WriteOptions } from './write-options.js';

/** What an update is made from: the object as it is, in the resource's own version. */
export type Transform = (old: ApiObject) => ApiObject;

export interface CreateOptions extends WriteOptions {
  /** The caller kept managedFields itself, as server-side apply does. */
  readonly isApply?: boolean;
  /** An update that comes to a creation, which may name any resourceVersion. */
  readonly isUpdate?: boolean;
  /** The endpoint of such an update. */
  readonly subresource?: string;
  /** What of the metadata is written otherwise than it reads. */
  readonly written?: () => OddMetadata | undefined;
}

export interface UpdateOptions extends WriteOptions {
  readonly subresource?: string;
  /** The caller kept managedFields itself, as server-side apply does. */
  readonly isApply?: boolean;
  /** What admission is shown of the object: that of a subresource with a kind of its own. */
  readonly view?: ((object: ApiObject) => ApiObject) | undefined;
  /** The object was given whole: its uid has to be that of the present one before all else. */
  readonly isReplacement?: boolean;
  /** What of the metadata is written otherwise than it reads. */
  readonly written?: () => OddMetadata | undefined;
  /** Whether a missing object may be made; called for its content. */
  readonly create?: (() => ApiObject) | undefined;
}

/** A server-side apply. */
export interface ApplyRequest {
  readonly name: string;
  readonly namespace: string | undefined;
  /** The configuration as the client gave it. */
  readonly readConfig: () => JsonObject;
  /** Sees to it that the outcome is the object the request names. */
  readonly place: (object: ApiObject) => ApiObject;
}
