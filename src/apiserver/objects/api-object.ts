import type { ObjectMeta } from '../../api/kube-object.js';
import { isJsonObject, type JsonObject } from '../../base/json-object.js';

export {
  arrayAt,
  eachObject,
  isJsonObject,
  numberAt,
  objectAt,
  stringAt,
  textOf,
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

/** metav1.ObjectMeta as the server keeps it. */
export interface Metadata extends ObjectMeta {
  managedFields?: ManagedFieldsEntry[];
}

/** An object as the server holds it. Once stored it is shared and never changed. */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  [field: string]: unknown;
}

/** The value at the end of a path of members; undefined where the path breaks off. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((node, part) => (isJsonObject(node) ? node[part] : undefined), value);
}
