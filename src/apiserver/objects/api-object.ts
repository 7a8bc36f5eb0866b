import type { ObjectMeta } from '../../api/objects/kube-object.js';
import type { JsonObject } from '../../base/json-object.js';

export {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  textOf,
  valueAt,
  without,
  type JsonObject,
} from '../../base/json-object.js';

/** metav1.ManagedFieldsEntry. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/** metav1.ObjectMeta with managedFields. */
export interface Metadata extends ObjectMeta {
  managedFields?: ManagedFieldsEntry[];
}

/** An object of the API. A stored object is shared and must not be changed. */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  [field: string]: unknown;
}
