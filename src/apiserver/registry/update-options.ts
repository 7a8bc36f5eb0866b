import type { ApiObject, JsonObject } from '../objects/api-object.js';
import type { StoredMetadata } from './applied-configuration.js';
import type { WriteOptions } from './write-options.js';

/** Computes an update from the current object, in the resource's own version. */
export type Transform = (old: ApiObject) => ApiObject;

export interface CreateOptions extends WriteOptions {
  /** The caller updated managedFields itself, as server-side apply does. */
  readonly isApply?: boolean;
  /** An update that creates its object and may therefore have any resourceVersion. */
  readonly isUpdate?: boolean;
  /** The endpoint of such an update. */
  readonly subresource?: string;
  /** Returns the metadata fields with a stored form that differs from the form returned by reads. */
  readonly storedMetadata?: () => StoredMetadata | undefined;
}

export interface UpdateOptions extends WriteOptions {
  readonly subresource?: string;
  /** The caller updated managedFields itself, as server-side apply does. */
  readonly isApply?: boolean;
  /** Converts the object for admission, for subresources with a kind of their own. */
  readonly view?: ((object: ApiObject) => ApiObject) | undefined;
  /** The client sent the complete object: its uid is checked against the current object's first. */
  readonly isReplacement?: boolean;
  /** Returns the metadata fields with a stored form that differs from the form returned by reads. */
  readonly storedMetadata?: () => StoredMetadata | undefined;
  /** Returns the object to create if it is missing; without it, a missing object is an error. */
  readonly create?: (() => ApiObject) | undefined;
}

/** A server-side apply. */
export interface ApplyRequest {
  readonly name: string;
  readonly namespace: string | undefined;
  /** Returns the configuration as the client sent it. */
  readonly readConfig: () => JsonObject;
  /** Sets the namespace and checks that the result is the object named in the request. */
  readonly place: (object: ApiObject) => ApiObject;
}
