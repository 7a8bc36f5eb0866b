/** What every Kubernetes object carries, as JSON has it: timestamps are strings. */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  generateName?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
}

/** metav1.OwnerReference. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Any Kubernetes object. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

/** A Kubernetes object of which only the metadata is known by type. */
export interface UnstructuredObject extends KubeObject {
  [field: string]: unknown;
}

/**
 * A client-node interface as JSON really holds it: dates are strings, and metadata is there.
 */
export type Live<T> = Json<Omit<T, 'metadata'>> & KubeObject;

type Json<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [P in keyof T]: Json<T[P]> }
      : T;

type DeepPartial<T> = T extends (infer Item)[]
  ? DeepPartial<Item>[]
  : T extends object
    ? { [P in keyof T]?: DeepPartial<T[P]> }
    : T;

/** An object to create or apply: metadata needs a name only, all else is as far as the caller has an opinion. */
export type Desired<T extends KubeObject> = DeepPartial<Omit<T, 'metadata'>> & { metadata: Partial<ObjectMeta> };
