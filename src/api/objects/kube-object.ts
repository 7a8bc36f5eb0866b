import type { JsonSchema } from '../schema/json-schema.js';

/** The metadata of an object as in JSON: timestamps are strings. */
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

/** A Kubernetes object with typed metadata and untyped fields. */
export interface UnstructuredObject extends KubeObject {
  [field: string]: unknown;
}

/**
 * A client-node interface as in JSON: dates are strings, metadata is required, and fields have the names of the API
 * (`from`, not `_from`).
 */
export type Live<T> = Json<Omit<T, 'metadata'>> & KubeObject;

/** A client-node type as in JSON: dates are strings, and fields have the names of the API. */
export type Json<T> = 0 extends 1 & T // any
  ? unknown
  : T extends Date
    ? string
    : T extends (infer Item)[]
      ? Json<Item>[]
      : T extends object
        ? JsonFields<T>
        : T;

type JsonFields<T extends object> = string extends keyof T
  ? { [P in keyof T]: Json<T[P]> }
  : 'x_kubernetes_validations' extends keyof T
    ? JsonSchema
    : { [P in keyof T as P extends `_${infer Name}` ? Name : P]: Json<T[P]> };

/** A type with every member optional, at every depth. */
export type DeepPartial<T> = T extends Date
  ? T
  : T extends (infer Item)[]
    ? DeepPartial<Item>[]
    : T extends object
      ? { [P in keyof T]?: DeepPartial<T[P]> | undefined }
      : T;

/**
 * A type with every member read-only, at every depth: the objects of a cache, which all readers share.
 *
 * A `T` can be passed where a `ReadonlyDeep<T>` is expected, but not the reverse. `any` stays `any`.
 */
export type ReadonlyDeep<T> = T extends Date | ((...args: never[]) => unknown)
  ? T
  : T extends readonly (infer Item)[]
    ? readonly ReadonlyDeep<Item>[]
    : T extends object
      ? { readonly [P in keyof T]: ReadonlyDeep<T[P]> }
      : T;

/** An object to create or apply: only metadata.name is required, all other fields are optional. */
export type Desired<T extends KubeObject> = DeepPartial<Omit<T, 'metadata'>> & { metadata: Partial<ObjectMeta> };
